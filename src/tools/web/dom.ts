/** As much of a DOM as reading a page needs; the runtime compiles without the types of one. */
export interface PageNode {
	readonly nodeName: string;
	readonly nodeType: number;
	readonly textContent: string | null;
	readonly parentElement: PageElement | null;
	readonly childNodes: ArrayLike<PageNode>;
}

export interface PageElement extends PageNode {
	readonly children: ArrayLike<PageElement>;
	getAttribute(name: string): string | null;
	setAttribute(name: string, value: string): void;
	hasAttribute(name: string): boolean;
	removeAttribute(name: string): void;
	querySelectorAll(selector: string): ArrayLike<PageElement>;
	remove(): void;
}

export interface PageDocument {
	readonly body: PageElement | null;
	readonly title: string;
	querySelectorAll(selector: string): ArrayLike<PageElement>;
}
