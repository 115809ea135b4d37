/** What the page and its diagram frame say to each other. */
export interface DiagramRequest {
	readonly type: 'draw';
	readonly id: number;
	readonly source: string;
	readonly dark: boolean;
}

/** `drawing` is null where the source can't be drawn. Its `svg` is well-formed XML of the given size in CSS pixels. */
export interface DiagramReply {
	readonly type: 'drawn';
	readonly id: number;
	readonly drawing: { readonly svg: string; readonly width: number; readonly height: number } | null;
}
