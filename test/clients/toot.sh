#!/bin/sh
# A session with toot 0.34 as packaged by Debian: https://github.com/ihabunek/toot
#
# Prints the results, and exits with 1 at the first unexpected one. The code that toot
# asks for comes from standard input.
set -eu

instance=${LINNET_URL#http://}
tag="toot$$"

# want TEXT ACT...: runs toot and expects a text in its output.
want() {
	text=$1
	shift
	said=$(toot "$@" </dev/null) || { echo "FAIL toot $*: $said"; exit 1; }
	case $said in
	*"$text"*) echo "ok   toot $*" ;;
	*) echo "FAIL toot $*: no \"$text\" in: $said"; exit 1 ;;
	esac
}

toot login --disable-https --instance "$instance"
want "@$LINNET_USER" whoami
want "$instance" instance --disable-https
want "$LINNET_OTHER" whois "$LINNET_OTHER"
want "now following" follow "$LINNET_OTHER"
want "$LINNET_OTHER" following "$LINNET_USER"

want "Toot posted" post "toot was here #$tag @$LINNET_OTHER"
want "toot was here" timeline --once --count 5
want "toot was here" timeline --once --public
want "toot was here" timeline --once --tag "$tag"
id=$(toot timeline --once --count 1 --no-color </dev/null | sed -n 's/^ID \([0-9]*\).*/\1/p' | head -n 1)
[ -n "$id" ] || { echo "FAIL no id in the timeline"; exit 1; }

want "Toot posted" post --reply-to "$id" "and went on"
want "and went on" thread "$id"
want "favourited" favourite "$id"
want "unfavourited" unfavourite "$id"
want "reblogged" reblog "$id"
want "unreblogged" unreblog "$id"
want "bookmarked" bookmark "$id"
want "toot was here" bookmarks --once
want "$LINNET_OTHER" search "$LINNET_OTHER"
want "good morning" notifications
want "deleted" delete "$id"
want "no longer following" unfollow "$LINNET_OTHER"
want "logged out" logout "$LINNET_USER@$instance"
echo "done"
