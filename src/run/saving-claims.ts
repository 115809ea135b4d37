import type { MessagePart, NoticePart } from '../domain/message.ts';

/** Finds replies that say something was saved where nothing was (mem-9). Pure. */

/** “I've saved that”, “Saved!”, “I'll remember that”, in the languages that models mostly answer in. */
const CLAIMS: readonly RegExp[] = [
	/\bI(?:['’]ve| have)?(?: (?:just|now|also|already|successfully))* (?:saved|stored|remembered|memori[sz]ed|noted(?: down)?|recorded|written|added|updated|made a note|put)\b(?=[^.!?\n]*\b(?:that|this|it|them|these|memory|notes?|down|for (?:you|later|next time|future)|your)\b)/i,
	/\b(?:saved|stored|added|written|recorded|committed|noted|updated)\b[^.!?\n]{0,60}\b(?:to|in|into) (?:my |your |the |long[- ]term )*(?:memory|memories|notes|MEMORY\.md)\b/i,
	/\b(?:my|your|the|long[- ]term) memory (?:has been|is now|was) updated\b|\bmemory updated\b/i,
	/\bI(?:['’]ll| will| shall)(?: (?:now|always|definitely|make sure to|be sure to|try to))* (?:remember|keep (?:that|this|it) in mind|not forget)\b/i,
	/\b(?:it|that|this)(?:['’]s| is| has been| was)(?: (?:now|all|safely))* (?:saved|stored|noted|remembered|recorded|in my memory|in memory)\b/i,
	/(?:^|[.!?\n]\s*|✅\s*)(?:ok(?:ay)?[,!. ]+|got it[,!. ]+|done[,!. ]+|sure[,!. ]+)?(?:saved|noted|remembered|stored|memory saved)(?:[.!]|\s*$|[,:;] )/im,
	// German
	/\b(?:ich )?habe? (?:mir |ich |das |es |dies |diese[sn]? |die |den |deine[nrs]? |ihre[nrs]? )?[^.!?\n]{0,60}\b(?:gespeichert|gemerkt|notiert|vermerkt|hinterlegt|aufgeschrieben|eingetragen|abgelegt)\b/i,
	/\b(?:das|es|dies)? ?(?:ist|wurde|sind)(?: jetzt| nun)? (?:gespeichert|notiert|vermerkt|gemerkt)\b|\b(?:ich )?(?:werde|merke) (?:ich )?(?:mir|es mir|daran|das)\b[^.!?\n]{0,40}(?:merken|denken|erinnern|[.!]|$)|(?:^|[.!?\n]\s*)(?:gespeichert|notiert|gemerkt|vermerkt)[.!]/im,
	// French
	/\bj['’]ai (?:bien |déjà )?(?:enregistré|mémorisé|noté|sauvegardé|retenu|ajouté)(?!\p{L})|\bje (?:m['’]en souviendrai|le retiendrai|vais (?:m['’]en souvenir|le retenir|mémoriser))|\bc['’]est (?:noté|enregistré|mémorisé)(?!\p{L})|(?:^|[.!?\n]\s*)(?:noté|enregistré|mémorisé)(?=\s*[.!])/imu,
	// Spanish
	/\b(?:lo |la |ya lo )?he (?:guardado|anotado|memorizado|registrado|apuntado)(?=\W|$)|\b(?:lo recordaré|lo tendré en cuenta|queda (?:guardado|anotado|registrado))|(?:^|[.!?\n¡]\s*)(?:guardado|anotado|apuntado)\s*[.!]/im,
	// Portuguese, Italian
	/\b(?:guardei|anotei|salvei|memorizei|registrei)\b|\b(?:vou (?:me )?lembrar|está (?:guardado|salvo|anotado))|\bho (?:salvato|memorizzato|annotato|registrato)\b|\b(?:lo ricorderò|me lo ricorderò)/i,
	// Dutch, Polish, Russian
	/\bik (?:heb|zal) (?:het|dat|dit|je|uw)?[^.!?\n]{0,40}\b(?:opgeslagen|onthouden|genoteerd)\b|\b(?:zapisałem|zapisałam|zapamiętałem|zapamiętałam|zapamiętam|zanotowałem)\b/i,
	/(?<!\p{L})(?:(?<!не )(?:я )?(?:сохранил|сохранила|запомнил|запомнила|запомню|записал|записала)|сохранено|записано)(?!\p{L})/iu,
	// Chinese, Japanese, Korean
	/(?:已(?:经)?(?:为您|为你|帮你|帮您)?(?:保存|记住|记下|记录|存储)|我(?:会|已经?)?记住(?:了|这|的)|记住了|記住了|已儲存|覚えました|覚えておきます|記憶しました|保存しました|記録しました|メモしました|저장했습니다|저장했어요|기억하겠습니다|기억할게요|기록했습니다)/u,
];

/** What takes a claim back in the same sentence: “I have not saved it”, “nothing was saved”, “I can't remember”. */
const DENIALS =
	/(?<!\p{L})(?:not|never|nothing|no(?:thing)? (?:was|is|has)|cannot|unable|without|if|would|could|should|shall I|do you want|would you like|want me to|let me know|nicht|nichts|kein|keine|konnte|wenn|falls|soll ich|möchtest|ne|pas|rien|si|no|nada|não|non|niet|niets|nie)(?!\p{L})|n['’]t(?!\p{L})|(?<!\p{L})n['’](?=\p{L})|не |нет|没有|沒有|未|无法|不能|如果|ません|못|않/iu;

/** It says that it waits: true where a proposal does. */
const WAITING = /\b(?:inbox|approv\w*|confirm\w*|pending|waits?|waiting|held|genehmig\w*|bestätig\w*|posteingang|warte\w*)\b/i;

export function claimsSaving(text: string): boolean {
	return claims(text).length > 0;
}

function claims(text: string): string[] {
	return sentences(text).filter((sentence) => !DENIALS.test(sentence) && CLAIMS.some((claim) => claim.test(sentence)));
}

/** It speaks of memory, and not of something else that was saved: a file, a note of a tool server's. */
const OF_MEMORY =
	/memor|mémor|rememb|forget|in mind|gedächtnis|erinner|gemerkt|merken|souvien|retien|record(?:aré|ar)|lembrar|ricorder|onthouden|zapamięt|запомн|памят|记住|記住|记忆|記憶|覚え|기억/iu;

/** The notice for a finished reply that says more than its receipts do. `hasEffect`: of a tool, whether a call of it does something. */
export function savingNotices(parts: readonly MessagePart[], hasEffect: (tool: string) => boolean): NoticePart[] {
	const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
	const receipts = parts.flatMap((part) => (part.type === 'tool' ? (part.result?.receipts ?? []) : []));
	if (receipts.some(({ outcome }) => outcome === 'written')) return [];
	if (receipts.length > 0 && WAITING.test(text)) return [];
	// “Noted.” is true where a tool did something: only a claim about memory is not.
	const didSomething = parts.some(
		(part) =>
			part.type === 'tool' && part.status === 'done' && part.result?.isError === false && !part.result.receipts && hasEffect(part.tool),
	);
	const isUntrue = claims(text).some((claim) => !didSomething || OF_MEMORY.test(claim));
	return isUntrue ? [{ type: 'notice', code: 'nothing_saved', values: {} }] : [];
}

/** Its own sentences: quotations and code are somebody else's. */
function sentences(text: string): string[] {
	const own = text
		.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, ' ')
		.replace(/`[^`\n]*`/g, ' ')
		.replace(/^\s*>.*$/gm, ' ')
		.replace(/[“"«][^”"»\n]*[”"»]/g, ' ');
	return own.split(/(?<=[.!?。！？])\s*|\n+/u).filter((sentence) => sentence.trim() !== '');
}
