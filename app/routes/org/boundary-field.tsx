import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useField } from '#app/components/form/form-fields.ts'
import { countryOfSet } from '#functions/shapes/region-sets.ts'
import { toAreaValue } from './boundary-value.ts'
import { FieldFrame } from '#app/components/form/field.tsx'
import type { BoundaryComboBoxProps } from './boundary-combo-box.tsx'
import { DraftField } from '#app/components/form/draft-field.tsx'

const notLoaded = 'The suggestions could not be loaded. Leave the field and come back to try again.'

const placeholder = 'Search countries, regions, counties and your sets'

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

/** Maximum number of the organization's sets that are searched, and of areas in each. */
const maxSets = 5
const maxOfSet = 10

/**
 * The choice of a country, state, county or first-level region, or of one or all areas of the organization's sets, by name or code. Its
 * suggestions are loaded with the first focus.
 */
export function BoundaryField({ label, name, hint, choice, placeId, sets }: BoundaryFieldProps) {
  const [id, setId] = useState(choice?.id ?? '')
  const [text, setText] = useState(choice?.name ?? '')
  const items = useBoundaries(text, choice, { placeId, sets })
  const { error } = useField(name)
  const inputId = useId()
  const { input, loaded, load, isFailed } = useComboBox()
  const choose = (boundary: BoundaryChoice | null) => {
    setId(boundary?.id ?? '')
    setText(boundary?.name ?? '')
  }
  return (
    <>
      <DraftField name={name} value={id} onRestore={setId} />
      <div className="needs-scripts">
        {loaded ? (
          <loaded.ComboBox
            {...{ label, hint, id, text, items, error, placeholder }}
            hasFocus={loaded.hasFocus}
            onText={setText}
            onChoose={choose}
          />
        ) : (
          <FieldFrame id={inputId} label={label} hint={hint} error={isFailed ? notLoaded : error}>
            <div className="row">
              <input
                ref={input}
                id={inputId}
                className="grow"
                aria-describedby={`${inputId}-hint ${inputId}-error`}
                aria-invalid={error === undefined ? undefined : true}
                autoComplete="off"
                placeholder={placeholder}
                value={text}
                onPointerEnter={preload}
                onFocus={load}
                onChange={(event) => setText(event.target.value)}
              />
              {id ? (
                <button type="button" className="button is-small is-quiet" onClick={() => choose(null)}>
                  Take away<span className="sr-only"> {label}</span>
                </button>
              ) : null}
            </div>
          </FieldFrame>
        )}
      </div>
    </>
  )
}

interface LoadedComboBox {
  ComboBox: (props: BoundaryComboBoxProps) => ReactNode
  /** Whether the plain input had the focus. */
  hasFocus: boolean
}

const importComboBox = () => import('./boundary-combo-box.tsx')
const preload = () => void importComboBox().catch(() => undefined)

/**
 * The input with suggestions, null until `load` has loaded its script. It takes the place of the plain `input` within one task, with
 * focus and selection, so that no letter typed meanwhile is lost: a lazy component would render nothing for a moment.
 */
function useComboBox() {
  const input = useRef<HTMLInputElement>(null)
  const [loaded, setLoaded] = useState<LoadedComboBox | null>(null)
  const [isFailed, setFailed] = useState(false)
  const load = () => {
    setFailed(false)
    importComboBox().then(
      (module) => {
        const before = input.current
        const hasFocus = before !== null && document.activeElement === before
        flushSync(() => setLoaded({ ComboBox: module.default, hasFocus }))
        if (hasFocus && document.activeElement instanceof HTMLInputElement)
          document.activeElement.setSelectionRange(before.selectionStart, before.selectionEnd)
      },
      () => setFailed(true),
    )
  }
  return { input, loaded, load, isFailed }
}

/** The regions of a country that match, and all of them together if the country does; empty for other sets. */
function regionsIn(set: { id: string; name: string; found: { code: string; name: string }[] }) {
  if (countryOfSet(set.id) === null) return []
  const choice = (area: string | null, name: string, of: string): BoundaryChoice => ({
    ...{ id: toAreaValue(set.id, area), code: area ?? '', type: 'area', name, of },
  })
  return [
    ...set.found.map(({ code, name }) => choice(code, name, `${set.name} ${code}`)),
    ...(set.found.length === 0 ? [choice(null, set.name, 'All of them together')] : []),
  ]
}

/** The boundaries that match, countries first; debounced by 200 ms. */
function useBoundaries(
  text: string,
  choice: BoundaryChoice | null,
  { placeId, sets }: Pick<BoundaryFieldProps, 'placeId' | 'sets'>,
): BoundaryChoice[] {
  const [items, setItems] = useState<BoundaryChoice[]>(choice ? [choice] : [])
  useEffect(() => {
    if (text.trim().length < 2) return
    const control = new AbortController()
    const ask = async () => {
      const { api } = await import('#app/client/api/index.ts')
      const search = text.trim()
      const signal = { signal: control.signal }
      const [{ results }, offeredSets, ...setAreas] = await Promise.all([
        api().boundary.find({ options: { search, limit: 30 } }, signal),
        api().place.boundarySet.offered({ placeId, options: { search } }, signal),
        ...sets.slice(0, maxSets).map(async ([boundarySetId, set]): Promise<BoundaryChoice[]> => {
          const options = { search, limit: maxOfSet }
          const areas = await api().place.boundarySet.area.find({ placeId, boundarySetId, options }, signal)
          const toAreaChoice = (area: string | null, name: string, of: string): BoundaryChoice => ({
            ...{ id: toAreaValue(boundarySetId, area), code: area ?? '', type: 'area', name, of },
          })
          const isNamed = set.toLowerCase().includes(search.toLowerCase())
          return [
            ...(isNamed ? [toAreaChoice(null, set, 'All areas of the set together')] : []),
            ...areas.results.map((area) => toAreaChoice(area.code, area.name, `${set} ${area.code}`)),
          ]
        }),
      ])
      const order = ['country', 'state', 'county']
      const everyones = results.sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
      setItems([...setAreas.flat(), ...everyones, ...offeredSets.results.flatMap(regionsIn)])
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
