import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { ChatScreen } from '../chat/chat-screen.tsx';
import { useConnection } from '../connection/index.ts';
import { Icon } from '../ui/icon.tsx';
import { StringsProvider } from '../ui/strings.tsx';
import { Toasts } from '../ui/toast.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { FailedPage, RefusedPage } from './pages.tsx';
import { queryClient } from './queries.ts';
import { markStarted, startedBefore } from './started.ts';

// Only the chat is on the way to the first keystroke; the others load when they are opened.
const Inbox = lazy(() => import('../inbox/inbox-screen.tsx'));
const Memory = lazy(() => import('../memory/memory-screen.tsx'));
const Tasks = lazy(() => import('../tasks/tasks-screen.tsx'));
const Timeline = lazy(() => import('../timeline/timeline-screen.tsx'));
const Audit = lazy(() => import('../audit/audit-screen.tsx'));
const Settings = lazy(() => import('../settings/settings-screen.tsx'));
const Welcome = lazy(() => import('../first-run/welcome.tsx'));
const Quick = lazy(() => import('../quick/quick.tsx'));

function Splash() {
	return (
		<div className="splash">
			<Icon name="flame" />
		</div>
	);
}

function Screens() {
	const [location, navigate] = useLocation();
	const hello = useConnection((state) => state.hello);
	const link = useConnection((state) => state.link);
	const runtime = useConnection((state) => state.runtime);
	const newcomer = hello !== null && !hello.firstRunDone;
	useEffect(() => {
		if (newcomer) navigate('/welcome', { replace: true });
		else if (hello) markStarted();
	}, [hello, newcomer, navigate]);

	if (link.state === 'refused') return <RefusedPage error={link.error} />;
	// Once something was shown it stays readable: a later failure is a banner.
	if (runtime?.state === 'failed' && hello === null) return <FailedPage status={runtime} />;
	if (location === '/quick') {
		return (
			<Suspense fallback={null}>
				<Quick />
			</Suspense>
		);
	}
	if (newcomer || location === '/welcome') {
		return (
			<Suspense fallback={<Splash />}>
				<Welcome />
			</Suspense>
		);
	}
	if (hello === null && !startedBefore()) return <Splash />;
	return (
		<Frame>
			<Suspense fallback={<main className="view" id="main" />}>
				<Switch>
					<Route path="/chat/:session?/:message?">{({ session, message }) => <ChatScreen sessionId={session} messageId={message} />}</Route>
					<Route path="/inbox/:proposal?">{({ proposal }) => <Inbox proposal={proposal} />}</Route>
					<Route path="/memory/*?">
						<Memory />
					</Route>
					<Route path="/tasks/*?">
						<Tasks />
					</Route>
					<Route path="/timeline/*?">
						<Timeline />
					</Route>
					<Route path="/audit/:seq?">{({ seq }) => <Audit seq={seq} />}</Route>
					<Route path="/settings/:section?">{({ section }) => <Settings section={section} />}</Route>
					<Route>
						<Redirect to="/chat" replace />
					</Route>
				</Switch>
			</Suspense>
		</Frame>
	);
}

export function App() {
	return (
		<StringsProvider>
			<CSPProvider disableStyleElements>
				<QueryClientProvider client={queryClient}>
					<Tooltip.Provider>
						<Router hook={useHashLocation}>
							{/* Within all that its own page is made of. */}
							<ErrorBoundary>
								<Screens />
								<Toasts />
							</ErrorBoundary>
						</Router>
					</Tooltip.Provider>
				</QueryClientProvider>
			</CSPProvider>
		</StringsProvider>
	);
}
