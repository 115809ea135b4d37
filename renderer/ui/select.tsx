import { Select as Base } from '@base-ui/react/select';
import { Icon } from './icon.tsx';

export interface Option {
	value: string;
	label: string;
	/** Second line, such as where a model runs. */
	hint?: string;
	disabled?: boolean;
}

interface SelectProps {
	label: string;
	value: string;
	options: Option[];
	onChange: (value: string) => void;
	disabled?: boolean;
	className?: string;
	id?: string;
}

export function Select({ label, value, options, onChange, disabled, className, id }: SelectProps) {
	return (
		<Base.Root items={options} value={value} onValueChange={(next) => (next === null ? undefined : onChange(next))} disabled={disabled}>
			<Base.Trigger id={id} className={className ? `select ${className}` : 'select'} aria-label={label}>
				<span className="cut">
					<Base.Value />
				</span>
				<Base.Icon render={<span className="select-icon" />}>
					<Icon name="down" size="s" />
				</Base.Icon>
			</Base.Trigger>
			<Base.Portal>
				<Base.Positioner className="layer" sideOffset={4} alignItemWithTrigger={false}>
					<Base.Popup className="pop menu select-list">
						<Base.List>
							{options.map((option) => (
								<Base.Item key={option.value} value={option.value} disabled={option.disabled} className="menu-item">
									<span className="menu-tick">
										<Base.ItemIndicator>
											<Icon name="check" size="s" />
										</Base.ItemIndicator>
									</span>
									<span className="grow">
										<Base.ItemText>{option.label}</Base.ItemText>
										{option.hint ? <span className="meta menu-hint">{option.hint}</span> : null}
									</span>
								</Base.Item>
							))}
						</Base.List>
					</Base.Popup>
				</Base.Positioner>
			</Base.Portal>
		</Base.Root>
	);
}
