import { expect, test } from 'vitest';
import { defaultConfig, formatConfig, parseConfig } from '../../../src/app/config-file.ts';
import { failureOf } from '../../support/storage/folders.ts';

test('what is left out has its default, what is unknown is kept', () => {
	const config = parseConfig('{"version": 1, "settings": {"theme": "dark", "ofALaterVersion": 1}, "mine": [1]}');
	expect(config).toEqual({
		...defaultConfig(),
		settings: { ...defaultConfig().settings, theme: 'dark', ofALaterVersion: 1 },
		mine: [1],
	});
	expect(parseConfig(formatConfig(config))).toEqual(config);
});

test.each([
	['', 'it is empty'],
	[' \n', 'it is empty'],
	['{', 'not valid JSON (line 1, column 2)'],
	['{\n\t"version": 1,\n\t"firstRunDone": \n}', 'not valid JSON (near line 4)'],
	['[]', 'expected object'],
	['{}', 'version'],
	['{"version": 2}', 'newer Hearth'],
	['{"version": 1, "settings": {"theme": "pink"}}', 'settings.theme'],
	['{"version": 1, "settings": {"logDays": 0}}', 'settings.logDays'],
	['{"version": 1, "settings": {"activeHours": {"from": "8", "to": "22:00"}}}', 'settings.activeHours.from”: Use a time like 08:00.'],
	['{"version": 1, "settings": {"budgets": {"task": {"tokens": 0}}}}', 'settings.budgets.task.tokens”: Use a number above 0, or none.'],
	['{"version": 1, "providers": [{"id": "a", "kind": "ollama", "name": "A"}, {"id": "a", "kind": "ollama", "name": "B"}]}', 'same id'],
	['{"version": 1, "providers": [{"id": "a", "kind": "ollama", "name": "A", "baseUrl": "file:///etc/passwd"}]}', 'providers.0.baseUrl'],
	['{"version": 1, "models": {"chat": {"providerId": "a"}}}', 'models.chat.modelId'],
])('S5 %s is refused with the place of the mistake', async (text, says) => {
	const failure = await failureOf(() => parseConfig(text));
	expect(failure.code).toBe('config_invalid');
	expect(failure.message).toContain(says);
});

test('a byte-order mark of an editor is no mistake', () => {
	expect(parseConfig('\uFEFF{"version": 1}')).toEqual(defaultConfig());
});
