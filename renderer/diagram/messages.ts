/** What the page and its diagram frame say to each other. */
export interface DiagramRequest {
	readonly type: 'draw';
	readonly id: number;
	readonly source: string;
	readonly dark: boolean;
}

/** `svg` is null where the source can't be drawn. */
export interface DiagramReply {
	readonly type: 'drawn';
	readonly id: number;
	readonly svg: string | null;
}
