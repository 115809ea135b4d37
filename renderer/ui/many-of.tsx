import { Icon } from './icon.tsx';
import { Menu, MenuCheck } from './menu.tsx';
import { useSay } from './strings.tsx';

interface ManyOfProps<T extends string> {
	name: string;
	options: readonly { value: T; label: string }[];
	chosen: readonly T[];
	onChange: (chosen: T[]) => void;
}

/** A filter by which several values may be let through; none chosen lets all through. */
export function ManyOf<T extends string>({ name, options, chosen, onChange }: ManyOfProps<T>) {
	const say = useSay();
	const single = options.find(({ value }) => chosen.length === 1 && value === chosen[0])?.label;
	const trigger = (
		<button type="button" className={chosen.length > 0 ? 'chip on' : 'chip'}>
			{chosen.length === 0 ? name : say('common.filterCount', { name, count: single ?? chosen.length })}
			<Icon name="down" />
		</button>
	);
	return (
		<Menu trigger={trigger} align="start">
			{options.map(({ value, label }) => (
				<MenuCheck
					key={value}
					checked={chosen.includes(value)}
					onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((other) => other !== value))}
				>
					{label}
				</MenuCheck>
			))}
		</Menu>
	);
}
