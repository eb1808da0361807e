# Completion of linnet for bash, which linnet completion bash prints. It is loaded by
#
#	. <(linnet completion bash)
#
# or lies as linnet in the directory of completions, such as
# /usr/share/bash-completion/completions.
_linnet() {
	local line=${COMP_LINE:0:COMP_POINT} words word cut
	read -ra words <<<"$line"
	[[ $line == *[[:space:]] ]] && words+=("")
	# bash replaces only what stands behind the last of these characters.
	cut=${words[${#words[@]} - 1]}
	if [[ $cut == *[=:]* ]]; then
		cut=${cut%"${cut##*[=:]}"}
	else
		cut=
	fi
	COMPREPLY=()
	while IFS=$'\t' read -r word _; do
		if [[ $word == :files ]]; then
			compopt -o default
			return
		fi
		COMPREPLY+=("${word#"$cut"}")
	done < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
}
complete -F _linnet linnet
