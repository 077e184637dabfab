import { useEffect, useState } from 'react'
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components'
import { useField } from '#app/components/form/form-fields.ts'
import { KeptValue } from '#app/components/form/kept-value.tsx'

export interface BoundaryChoice {
  id: string
  name: string
  code: string
  type: string
}

export interface BoundaryFieldProps {
  label: string
  name: string
  hint: string
  /** What is chosen; null: nothing. */
  chosen: BoundaryChoice | null
}

const words: Record<string, string> = { country: 'Country', state: 'State', county: 'County' }

/** Chooses a country, state or county by its name or code. Without scripts the id is typed. */
export function BoundaryField({ label, name, hint, chosen }: BoundaryFieldProps) {
  const [id, setId] = useState(chosen?.id ?? '')
  const [text, setText] = useState(chosen?.name ?? '')
  const items = useBoundaries(text, chosen)
  const { error } = useField(name)
  return (
    <>
      <KeptValue name={name} value={id} onRestore={setId} />
      <ComboBox
        className="field needs-scripts"
        items={items}
        inputValue={text}
        onInputChange={setText}
        selectedKey={id || null}
        onSelectionChange={(key) => {
          const boundary = items.find((each) => each.id === key)
          setId(boundary?.id ?? '')
          setText(boundary?.name ?? '')
        }}
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
          <Input className="grow" placeholder="Search countries, states and counties" />
          {id ? (
            <Button
              slot={null}
              className="button is-small is-quiet"
              onPress={() => {
                setId('')
                setText('')
              }}
            >
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
                <span className="muted">
                  {words[item.type]} {item.code}
                </span>
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </>
  )
}

/** The boundaries that fit what was typed, countries first; asked 200 ms after the last letter. */
function useBoundaries(text: string, chosen: BoundaryChoice | null): BoundaryChoice[] {
  const [items, setItems] = useState<BoundaryChoice[]>(chosen ? [chosen] : [])
  useEffect(() => {
    if (text.trim().length < 2) return
    const control = new AbortController()
    const ask = async () => {
      const { api } = await import('#app/client/api/index.ts')
      const options = { search: text.trim(), limit: 30 }
      const { results } = await api().boundary.find({ options }, { signal: control.signal })
      const order = ['country', 'state', 'county']
      setItems(results.sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type)))
    }
    // Who cannot be asked now is asked with the next letter.
    const timer = setTimeout(() => void ask().catch(() => {}), 200)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [text])
  return items
}
