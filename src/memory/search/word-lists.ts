const words = (text: string): Set<string> => new Set(text.split(/\s+/).filter((word) => word !== ''));

/** Words that say nothing about what is looked for, English and German, folded. */
export const STOP_WORDS = words(`
	a about after again all also am an and any are as at be been before being but by can could did do does doing done down during each for
	from further get gets getting got had has have having he her here hers herself him himself his how i if in into is it its itself just
	kind let like made make many may me might more most much my myself no nor not now of off on once only or other our ours out over own
	same shall she should so some such than that the their theirs them themselves then there these they thing things this those through to
	too type under until up us very was we were what when where which while who whom whose why will with would you your yours yourself
	aber als am an auch auf aus bei bin bis bist da damit dann das dass dein deine dem den denn der des die dies diese dieser dieses doch
	du durch ein eine einem einen einer eines er es euch euer fur gegen hab habe haben hat hatte hatten ich ihm ihn ihr ihre im in ist ja
	jede jeder kann kein keine konnte man mein meine mich mir mit nach nicht noch nur ob oder ohne sein seine seit sich sie sind so soll
	uber um und uns unser unter viel vom von vor war waren wann warum was weil welche welcher welches wem wen wenn wer werden wie wieder
	wir wird wo wurde zu zum zur
`);

/** Irregular English verbs and nouns: base form, then the forms that no stemmer leads back to it. */
export const IRREGULAR_FORMS: readonly (readonly [string, ...string[]])[] = `
	become became; begin began begun; bite bit bitten; blow blew blown; break broke broken; bring brought; build built; buy bought;
	catch caught; choose chose chosen; come came; cut cutting; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk;
	drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; fly flew flown; forget forgot
	forgotten; forgive forgave forgiven; freeze froze frozen; give gave given; go went gone; grow grew grown; hear heard; hide hid hidden;
	hold held; keep kept; know knew known; lead led; learn learnt; leave left; lend lent; lose lost; mean meant; meet met; pay paid;
	read reading; ride rode ridden; ring rang rung; rise rose risen; run ran running; say said; see saw seen; sell sold; send sent;
	shake shook shaken; shine shone; shoot shot; sing sang sung; sit sat; sleep slept; speak spoke spoken; spend spent; stand stood;
	steal stole stolen; stick stuck; strike struck; swear swore sworn; swim swam swum; swing swung; take took taken; teach taught;
	tear tore torn; tell told; think thought; throw threw thrown; understand understood; wake woke woken; wear wore worn; win won winning;
	write wrote written; child children; man men; woman women; person people; mouse mice; foot feet; tooth teeth; wife wives; life lives;
	knife knives; shelf shelves; leaf leaves; half halves; city cities
`
	.split(';')
	.map((line) => line.trim().split(/\s+/) as [string, ...string[]]);
