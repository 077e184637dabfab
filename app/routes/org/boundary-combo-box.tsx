import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components'
import type { BoundaryChoice } from './boundary-field.tsx'

const words: Record<string, string> = { country: 'Country', state: 'State', county: 'County', area: 'Area' }

export interface BoundaryComboBoxProps {
  label: string
  hint: string
  placeholder: string
  error: string | undefined
  /** The id of the chosen boundary; '' for none. */
  id: string
  /** What is typed, or the name of the choice. */
  text: string
  /** The suggestions for the text. */
  items: BoundaryChoice[]
  /** Whether its input takes the focus when it is shown. */
  hasFocus: boolean
  onText(text: string): void
  /** null: nothing is chosen. */
  onChoose(boundary: BoundaryChoice | null): void
}

/** The input of `BoundaryField` with its list of suggestions. */
export default function BoundaryComboBox(props: BoundaryComboBoxProps) {
  const { label, hint, placeholder, error, id, text, items, hasFocus, onText, onChoose } = props
  return (
    <ComboBox
      className="field"
      items={items}
      inputValue={text}
      onInputChange={onText}
      selectedKey={id || null}
      onSelectionChange={(key) => onChoose(items.find((each) => each.id === key) ?? null)}
      menuTrigger="input"
      allowsEmptyCollection
      defaultFilter={() => true}
      isInvalid={error !== undefined}
    >
      <Label className="field-label">{label}</Label>
      <Text slot="description" className="field-hint">
        {hint}
      </Text>
      <div className="row">
        <Input className="grow" autoFocus={hasFocus} placeholder={placeholder} />
        {id ? (
          <Button slot={null} className="button is-small is-quiet" onPress={() => onChoose(null)}>
            Take away<span className="sr-only"> {label}</span>
          </Button>
        ) : null}
      </div>
      {error ? <p className="field-error">{error}</p> : null}
      <Popover className="popover">
        <ListBox className="menu" renderEmptyState={() => <p className="menu-label">No results!</p>}>
          {(item: BoundaryChoice) => (
            <ListBoxItem id={item.id} textValue={item.name} className="menu-item">
              <Text slot="label" className="grow">
                {item.name}
              </Text>
              <span className="muted">{item.of ?? `${words[item.type]} ${item.code}`}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
