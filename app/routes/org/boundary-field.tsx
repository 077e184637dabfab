import { useEffect, useState } from 'react'
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components'
import { useField } from '#app/components/form/form-fields.ts'
import { countryOfSet } from '#functions/shapes/regionSets.ts'
import { ownValue } from './boundary-value.ts'
import { DraftField } from '#app/components/form/draft-field.tsx'

export interface BoundaryChoice {
  id: string
  name: string
  code: string
  type: string
  /** The name of its own set, if any. */
  of?: string
}

export interface BoundaryFieldProps {
  label: string
  name: string
  hint: string
  /** The current choice; null for none. */
  choice: BoundaryChoice | null
  /** The organization, and its public sets, whose areas are offered as well. */
  placeId: string
  sets: readonly (readonly [id: string, name: string])[]
}

const words: Record<string, string> = { country: 'Country', state: 'State', county: 'County', area: 'Area' }

/** Maximum number of the organization's sets that are searched, and of areas in each. */
const maxSets = 5
const maxOfSet = 10

/** The choice of a country, state, county or first-level region, or of one or all areas of the organization's sets, by name or code. */
export function BoundaryField({ label, name, hint, choice, placeId, sets }: BoundaryFieldProps) {
  const [id, setId] = useState(choice?.id ?? '')
  const [text, setText] = useState(choice?.name ?? '')
  const items = useBoundaries(text, choice, { placeId, sets })
  const { error } = useField(name)
  return (
    <>
      <DraftField name={name} value={id} onRestore={setId} />
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
          <Input className="grow" placeholder="Search countries, regions, counties and your sets" />
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
                <span className="muted">{item.of ?? `${words[item.type]} ${item.code}`}</span>
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </>
  )
}

/** The regions of a country that match, and all of them together if the country does; empty for other sets. */
function regionsIn(set: { id: string; name: string; found: { code: string; name: string }[] }) {
  if (countryOfSet(set.id) === null) return []
  const choice = (area: string | null, name: string, of: string): BoundaryChoice => ({
    ...{ id: ownValue(set.id, area), code: area ?? '', type: 'area', name, of },
  })
  return [
    ...set.found.map(({ code, name }) => choice(code, name, `${set.name} ${code}`)),
    ...(set.found.length === 0 ? [choice(null, set.name, 'All of them together')] : []),
  ]
}

/** The boundaries that match, countries first; debounced by 200 ms. */
function useBoundaries(
  text: string,
  chosen: BoundaryChoice | null,
  { placeId, sets }: Pick<BoundaryFieldProps, 'placeId' | 'sets'>,
): BoundaryChoice[] {
  const [items, setItems] = useState<BoundaryChoice[]>(chosen ? [chosen] : [])
  useEffect(() => {
    if (text.trim().length < 2) return
    const control = new AbortController()
    const ask = async () => {
      const { api } = await import('#app/client/api/index.ts')
      const search = text.trim()
      const signal = { signal: control.signal }
      const [{ results }, offered, ...ofSets] = await Promise.all([
        api().boundary.find({ options: { search, limit: 30 } }, signal),
        api().place.boundarySet.offered({ placeId, options: { search } }, signal),
        ...sets.slice(0, maxSets).map(async ([boundarySetId, set]): Promise<BoundaryChoice[]> => {
          const options = { search, limit: maxOfSet }
          const areas = await api().place.boundarySet.area.find({ placeId, boundarySetId, options }, signal)
          const ofSet = (area: string | null, name: string, of: string): BoundaryChoice => ({
            ...{ id: ownValue(boundarySetId, area), code: area ?? '', type: 'area', name, of },
          })
          const isNamed = set.toLowerCase().includes(search.toLowerCase())
          return [
            ...(isNamed ? [ofSet(null, set, 'All areas of the set together')] : []),
            ...areas.results.map((area) => ofSet(area.code, area.name, `${set} ${area.code}`)),
          ]
        }),
      ])
      const order = ['country', 'state', 'county']
      const everyones = results.sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
      setItems([...ofSets.flat(), ...everyones, ...offered.results.flatMap(regionsIn)])
    }
    // A failed search is repeated with the next input.
    const timer = setTimeout(() => void ask().catch(() => {}), 200)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [text, placeId, sets])
  return items
}
