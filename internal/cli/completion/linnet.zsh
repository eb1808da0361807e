#compdef linnet
# Completion of linnet for zsh, which linnet completion zsh prints. It is loaded by
#
#	. <(linnet completion zsh)
#
# or lies as _linnet in a directory of fpath.
_linnet() {
	local line
	local -a found
	for line in "${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
		[[ -n $line ]] || continue
		if [[ ${line%%$'\t'*} == :files ]]; then
			compset -P '*='
			_files
			return
		fi
		found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
	done
	(( $#found )) && _describe -V linnet found
}
if [[ ${funcstack[1]} == _linnet ]]; then
	_linnet
else
	compdef _linnet linnet
fi
