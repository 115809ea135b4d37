// Runs before the view's modules are there, in a file of its own because the page's policy allows no inline script.

// That policy forbids code made from text, so the schema library must not even try. Before the first schema is made.
globalThis.__zod_globalConfig = { jitless: true };

const theme = localStorage.getItem('hearth.theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;

let loading = false;
function loadView() {
	if (loading) return;
	loading = true;
	document.body.append(document.getElementById('view-modules').content);
}

// Where a first screen was passed before, the page begins with the chat's frame and a field that takes keys at once; the
// view goes on with what was typed there (`early-view.ts`), and loads after this frame was painted.
if (localStorage.getItem('hearth.started') !== null && /^#?(token=.*|\/?|\/chat.*)$/.test(location.hash)) {
	const view = document.getElementById('early-view');
	const field = view.querySelector('textarea');
	view.hidden = false;
	field.addEventListener('keydown', (event) => {
		// Nothing is sent into a chat that the owner does not see yet; nor does Enter leave a line behind.
		if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) event.preventDefault();
	});
	field.focus();
	// What the benchmark of the start waits for.
	performance.mark('composer-takes-keys');
	requestAnimationFrame(() => setTimeout(loadView));
	// A page in the background paints no frame.
	setTimeout(loadView, 100);
} else {
	loadView();
}
