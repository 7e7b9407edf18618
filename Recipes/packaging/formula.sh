#!/bin/sh
# Usage: formula.sh TARBALL FORMULA DOCKERFILE: a formula of Homebrew and a Dockerfile that take the tarball. $URL is the
# folder that releases are fetched from.
set -e
tarball=$1 formula=$2 dockerfile=$3
file=$(basename "$tarball")
version=$(echo "$file" | sed 's/^npi-pack-\(.*\)-[^-]*-[^-]*$/\1/')
sum=$(sha256sum "$tarball" | cut -d' ' -f1)
cat >"$formula" <<EOF
class NpiPack < Formula
  desc "Make for native mobile plugins"
  homepage "${URL:?}"
  version "$version"

  depends_on "libarchive"
  depends_on "libdeflate"
  depends_on "libyaml"
  depends_on :linux
  depends_on "nettle"
  depends_on "expat"
  depends_on "zlib"

  url "$URL/$version/$file"
  sha256 "$sum"

  def install
    bin.install "bin/npi-pack"
    libexec.install "libexec/npi-pack-action"
    man1.install "share/man/man1/npi-pack.1"
    bash_completion.install "share/bash-completion/completions/npi-pack"
    zsh_completion.install "share/zsh/site-functions/_npi-pack"
    fish_completion.install "share/fish/vendor_completions.d/npi-pack.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/npi-pack --version")
  end
end
EOF
cat >"$dockerfile" <<EOF
# npi-pack $version, with what its builds ask of a machine: git, and bubblewrap for sandboxes. Build it in the folder of
# the release.
FROM debian:12-slim
RUN apt-get update \\
 && apt-get install -y --no-install-recommends bubblewrap ca-certificates git \\
    libarchive13 libcurl4 libdeflate0 libexpat1 libnettle8 libyaml-0-2 zlib1g \\
 && rm -rf /var/lib/apt/lists/*
ADD $file /opt
ENV PATH=/opt/${file%.tar.gz}/bin:\$PATH
WORKDIR /plugin
ENTRYPOINT ["npi-pack"]
EOF
