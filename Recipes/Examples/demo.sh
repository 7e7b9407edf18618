#!/bin/sh
# What `make demo` shows: the example plugins packed, and what is in the deliverables.
set -e
npi_pack=$1
examples=$(cd "$(dirname "$0")" && pwd)
for plugin in Beacon RallyConnector Scanner Showtime; do
  printf '\n$ cd Recipes/Examples/%s && npi-pack\n' "$plugin"
  (cd "$examples/$plugin" && "$npi_pack" -B)
done
cd "$examples/RallyConnector"
printf '\n$ npi-pack\n'
"$npi_pack"
printf '\n$ unzip -Z -1 dist/RallyConnector-1.4.0-ios.zip\n'
unzip -Z -1 dist/RallyConnector-1.4.0-ios.zip
printf '\n$ unzip -Z -1 dist/RallyConnector-1.4.0.aar\n'
unzip -Z -1 dist/RallyConnector-1.4.0.aar
printf '\n$ cat dist/RallyConnector-1.4.0.json\n'
cat dist/RallyConnector-1.4.0.json
printf '\n$ ls dist\n'
ls dist
printf '\n$ npi-pack check dist/RallyConnector-1.4.0.release.json ../Scanner/dist/Scanner-2.0.0.release.json\n'
# Both have a C function and a Java class of one name: what is found is said, and the exit code is 1.
"$npi_pack" check dist/RallyConnector-1.4.0.release.json ../Scanner/dist/Scanner-2.0.0.release.json && exit 1 || [ $? = 1 ]
