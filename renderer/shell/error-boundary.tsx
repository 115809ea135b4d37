import { Component, type ErrorInfo, type ReactNode } from 'react';
import { CrashPage } from './pages.tsx';

/** Shows a readable page where a screen throws (S5): never an empty window. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
	override state: { error: Error | undefined } = { error: undefined };

	static getDerivedStateFromError(error: unknown): { error: Error } {
		return { error: error instanceof Error ? error : new Error(String(error)) };
	}

	override componentDidCatch(error: unknown, info: ErrorInfo): void {
		console.error('screen failed', error, info.componentStack);
	}

	override render(): ReactNode {
		return this.state.error ? <CrashPage error={this.state.error} /> : this.props.children;
	}
}
