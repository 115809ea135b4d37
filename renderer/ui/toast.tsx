import { Toast as Base } from '@base-ui/react/toast';
import { IconButton } from './button.tsx';
import { useSay } from './strings.tsx';

const manager = Base.createToastManager<{ action?: { label: string; run: () => void } }>();

/**
 * Says that something is done, where the screen itself does not show it. Leaves after five seconds, unless it can be undone (ten), and
 * for the next one: several would hide what is below them.
 */
export function showToast(text: string, action?: { label: string; run: () => void }): void {
	manager.close();
	manager.add({ title: text, timeout: action ? 10_000 : 5_000, data: { action } });
}

function ToastList() {
	const { toasts } = Base.useToastManager<{ action?: { label: string; run: () => void } }>();
	const say = useSay();
	return toasts.map((toast) => {
		const action = toast.data?.action;
		const run = () => {
			action?.run();
			manager.close(toast.id);
		};
		return (
			<Base.Root key={toast.id} toast={toast} className="pop toast">
				<Base.Content className="toast-content">
					{/* A title, and no description: it is what the toast is called. */}
					<Base.Title render={<span className="grow" />} />
					{action ? (
						<Base.Action className="btn ghost sm" onClick={run}>
							{action.label}
						</Base.Action>
					) : null}
					<Base.Close render={<IconButton icon="x" size="sm" label={say('common.dismiss')} />} />
				</Base.Content>
			</Base.Root>
		);
	});
}

export function Toasts() {
	const say = useSay();
	return (
		<Base.Provider toastManager={manager} limit={1}>
			<Base.Portal>
				<Base.Viewport className="toasts" aria-label={say('shell.notifications')}>
					<ToastList />
				</Base.Viewport>
			</Base.Portal>
		</Base.Provider>
	);
}
