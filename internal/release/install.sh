#!/bin/sh
# Installs kfw: the newest release for this system, after its checksum was verified.
#
#   curl -sSfL https://raw.githubusercontent.com/kfw-dev/kfw/main/internal/release/install.sh | sh
#
# KFW_VERSION is the release, as 1.2.3; KFW_PREFIX is where bin/ is (by itself ~/.local); KFW_BASE_URL is where releases
# are, for a mirror. Nothing is written but the program, its completions and its manual page.
set -eu

base=${KFW_BASE_URL:-https://github.com/kfw-dev/kfw/releases}
prefix=${KFW_PREFIX:-$HOME/.local}

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

fetch() { # URL FILE
	if command -v curl >/dev/null; then
		curl -sSfL --proto '=https,file' --proto-redir '=https' -o "$2" "$1"
	elif command -v wget >/dev/null; then
		wget -q -O "$2" "$1"
	else
		fail "neither curl nor wget is here"
	fi
}

sum() { # FILE
	if command -v sha256sum >/dev/null; then
		sha256sum "$1"
	else
		shasum -a 256 "$1"
	fi | cut -d ' ' -f 1
}

case $(uname -s) in
Linux) system=linux ;;
Darwin) system=darwin ;;
*) fail "no release for $(uname -s): go install github.com/kfw-dev/kfw@latest builds one" ;;
esac
case $(uname -m) in
x86_64 | amd64) machine=amd64 ;;
aarch64 | arm64) machine=arm64 ;;
*) fail "no release for $(uname -m): go install github.com/kfw-dev/kfw@latest builds one" ;;
esac

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
where=$base/latest/download
[ -z "${KFW_VERSION:-}" ] || where=$base/download/v$KFW_VERSION
fetch "$where/checksums.txt" "$dir/checksums.txt" || fail "no checksums at $where"
line=$(grep "_${system}_${machine}\.tar\.gz\$" "$dir/checksums.txt" | grep '^[0-9a-f]\{64\}  kfw_') ||
	fail "the release has nothing for $system on $machine"
want=${line%% *}
name=${line##* }
fetch "$where/$name" "$dir/$name" || fail "$name could not be fetched"
[ "$(sum "$dir/$name")" = "$want" ] || fail "$name is not what checksums.txt says: nothing was installed"
tar -xzf "$dir/$name" -C "$dir"
mkdir -p "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" \
	"$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
cp "$dir/kfw" "$prefix/bin/.kfw.new"
chmod 755 "$prefix/bin/.kfw.new"
mv -f "$prefix/bin/.kfw.new" "$prefix/bin/kfw" # one that runs goes on
cp "$dir/man/kfw.1.gz" "$prefix/share/man/man1/"
cp "$dir/completions/kfw.bash" "$prefix/share/bash-completion/completions/kfw"
cp "$dir/completions/_kfw" "$prefix/share/zsh/site-functions/"
cp "$dir/completions/kfw.fish" "$prefix/share/fish/vendor_completions.d/"
"$prefix/bin/kfw" version
case :$PATH: in
*:"$prefix/bin":*) ;;
*) echo "install.sh: $prefix/bin is not in PATH" >&2 ;;
esac
