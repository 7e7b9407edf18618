#!/bin/sh
# Usage: tarball.sh TARBALL [PREFIX]: npi-pack with its man page and completions, the same bytes everywhere. PREFIX is where
# it is installed already; without one it is built and installed first.
set -e
tarball=$1 prefix=$2
name=$(basename "$tarball" .tar.gz)
folder=${tarball%/*}/$name
platform=$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
case $name in
  *-"$platform") ;;
  *) echo "$name is not for this machine, which is $platform" >&2; exit 1 ;;
esac
rm -rf "$folder"
mkdir -p "$folder"
if [ -z "$prefix" ]; then
  prefix=$PWD/.build/dist/installed
  rm -rf "$prefix"
  make -s install PREFIX="$prefix" DESTDIR=
fi
cp -R "$prefix/." "$folder"
# No date, no owner, no umask: two builds have the same files, and nothing else is to tell them apart.
tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime=@315532800 --mode=u=rwX,go=rX \
  -C "${tarball%/*}" -cf "${tarball%.gz}" "$name"
gzip -9nf "${tarball%.gz}"
rm -rf "$folder"
