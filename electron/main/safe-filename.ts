/** A name without folders and without what file systems refuse. Pure. */
export function safeFilename(name: string): string {
	const plain = [...name.replace(/[/\\:*?"<>|]/g, ' ')].filter((character) => character >= ' ').join('');
	return (
		plain
			.replace(/\s+/g, ' ')
			.replace(/^[. ]+/, '')
			.trim()
			.slice(0, 120) || 'hearth.txt'
	);
}
