import { Combobox as Base } from '@base-ui/react/combobox';
import { Icon } from './icon.tsx';
import type { Option } from './select.tsx';

interface ComboboxProps {
	label: string;
	value: string;
	options: readonly Option[];
	onChange: (value: string) => void;
	/** Said where nothing fits what is typed. */
	none: string;
	className?: string;
}

/** Names are written with _ where people type a blank, and the other way round. */
function fits({ label }: Option, query: string): boolean {
	const plain = (words: string): string => words.toLowerCase().replaceAll('_', ' ');
	return plain(label).includes(plain(query.trim()));
}

/** One of many: typing leaves those that fit. */
export function Combobox({ label, value, options, onChange, none, className }: ComboboxProps) {
	const chosen = options.find((option) => option.value === value) ?? null;
	return (
		<Base.Root
			items={options}
			value={chosen}
			onValueChange={(next: Option | null) => (next ? onChange(next.value) : undefined)}
			autoHighlight
			filter={fits}
		>
			<Base.Trigger className={className ? `select ${className}` : 'select'} aria-label={label}>
				<span className="cut">
					<Base.Value />
				</span>
				<Base.Icon render={<span className="select-icon" />}>
					<Icon name="down" size="s" />
				</Base.Icon>
			</Base.Trigger>
			<Base.Portal>
				<Base.Positioner className="layer" sideOffset={4} align="start">
					<Base.Popup className="pop menu select-list combobox" aria-label={label}>
						<div className="searchbox">
							<Icon name="search" size="s" />
							<Base.Input className="field" aria-label={label} spellCheck={false} />
						</div>
						<Base.Empty className="meta combobox-none">{none}</Base.Empty>
						<Base.List className="combobox-list">
							{(option: Option) => (
								<Base.Item key={option.value} value={option} className="menu-item">
									<span className="menu-tick">
										<Base.ItemIndicator>
											<Icon name="check" size="s" />
										</Base.ItemIndicator>
									</span>
									<span className="grow">
										{option.label}
										{option.hint ? <span className="meta menu-hint">{option.hint}</span> : null}
									</span>
								</Base.Item>
							)}
						</Base.List>
					</Base.Popup>
				</Base.Positioner>
			</Base.Portal>
		</Base.Root>
	);
}
