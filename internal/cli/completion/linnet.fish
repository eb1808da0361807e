# Completion of linnet for fish, which linnet completion fish prints. It is loaded by
#
#	linnet completion fish | source
#
# or lies as linnet.fish in ~/.config/fish/completions.
function __linnet_complete
	set -l before (commandline -opc)
	set -l current (commandline -ct)
	test (count $current) -gt 0; or set current ""
	set -l found ($before[1] __complete $before[2..-1] $current 2>/dev/null)
	if string match -q ':files*' -- $found[1]
		__fish_complete_path (string replace -r '^--[^=]*=' '' -- $current)
	else
		printf '%s\n' $found
	end
end
complete -c linnet -f -a '(__linnet_complete)'
