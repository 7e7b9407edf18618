#!/bin/sh
# make fuzz: builds the fuzzer, with libFuzzer's and the address sanitizer's instruments in all code of ours and of the
# packages (but for that in C++, which is cryptography), and runs every target of TARGET for SECONDS_EACH, or RUNS
# executions. NPI_PACK is the program that makes some of the seeds.
set -eu
cd "$(dirname "$0")/../.."
home=.build/fuzz
seconds=${SECONDS_EACH:-60}
build="swift build -c release --scratch-path $home/build --product npi-fuzz -Xswiftc -DFUZZER -Xswiftc -sanitize=address,fuzzer
  -Xswiftc -parse-as-library -Xswiftc -use-ld=lld -Xcc -fsanitize=address,fuzzer-no-link -Xcxx -fno-sanitize=address,fuzzer-no-link"
$build
program=$($build --show-bin-path)/npi-fuzz
targets=${TARGET:-$($program 2> /dev/null | sed -n 's/^targets: //p')}
seeds=$home/seeds
if [ ! $seeds/complete -nt Tests/Fuzz/seeds.sh ]; then
  sh Tests/Fuzz/seeds.sh $seeds "$NPI_PACK"
  touch $seeds/complete
fi

# What is read from files lies in memory.
[ -d /dev/shm ] && export TMPDIR=/dev/shm
trap 'rm -rf "${TMPDIR:-/tmp}"/npi-fuzz-*' EXIT
export ASAN_OPTIONS=quarantine_size_mb=8:detect_leaks=0:malloc_context_size=0
for target in $targets; do
  mkdir -p $home/corpus/$target $seeds/$target
  echo "fuzz: $target"
  more=
  [ -e $seeds/$target.words ] && more=-dict=$seeds/$target.words
  # liblzma reserves the dictionary that a stream claims, and touches what it fills: what counts there is what is used.
  [ $target = zip ] && more="$more -malloc_limit_mb=5000"
  # Inputs are no longer than the longest seed.
  $program $target $home/corpus/$target $seeds/$target -max_total_time=$seconds ${RUNS:+-runs=$RUNS} \
    -timeout=10 -rss_limit_mb=256 -malloc_limit_mb=64 -print_final_stats=1 $more \
    -artifact_prefix=$home/found-$target- > $home/$target.log 2>&1 || { tail -40 $home/$target.log; exit 1; }
  grep -E 'stat::(number_of_executed_units|average_exec_per_sec|peak_rss_mb|slowest_unit_time_sec)' $home/$target.log
done
