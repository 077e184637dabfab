import { useEffect, useId, useState } from 'react'
import { useRouteLoaderData } from '@remix-run/react'
import { useOwnSets } from '#app/client/use-own-sets.ts'
import { useField } from '#app/components/form/form-fields.ts'
import type { FormErrors } from '#app/components/form/issues.ts'
import type { MainFrame } from '#app/components/shell/frame.ts'
import { factsOfSet } from '#functions/shapes/set-facts.ts'
import { countriesWithRegions, generalSets, isBuiltInSet, nameOfSet } from '#functions/shapes/region-sets.ts'

/** A boundary set; `placeId` null: built-in. */
export interface ChosenSet {
  id: string
  name: string
  placeId: string | null
}

interface SetHit extends ChosenSet {
  /** Number of areas, matching areas, owner, source, licence and date. */
  about: string
  /** Differences from ISO 3166-2 and disputed borders of a built-in set. */
  facts: string
}

interface SetFieldProps {
  label: string
  /** The name of the input in a form. */
  name?: string
  hint?: string
  errors?: FormErrors
  /** The id of the chosen set; '': none. */
  value: string
  /** The label of the empty choice. */
  none: string
  /**
   * The offered sets besides built-in ones: public ones of the organization (`usable`), of whatever visibility (`own`); also those of
   * others (`all`), or of others and private ones (`seen`).
   */
  whose: 'usable' | 'own' | 'all' | 'seen'
  /** The sets of the organization from the server, for pages without scripts; otherwise they are loaded. */
  ownSets?: readonly ChosenSet[]
  onChange(set: ChosenSet | null): void
}

const general = Object.entries(generalSets).map(([id, name]): ChosenSet => ({ id, name, placeId: null }))

/**
 * The choice of a boundary set: from a list of the organization's and the usual ones, or by search for its name, its country or one of
 * its regions.
 */
export function SetField(props: SetFieldProps) {
  const { label, name = '', hint, errors, value, none, whose, ownSets, onChange } = props
  const id = useId()
  const frame = useRouteLoaderData<{ main: MainFrame | null }>('root')?.main
  const placeId = frame?.place?.id ?? ''
  const isOfAnyVisibility = whose === 'seen' || whose === 'own'
  const loaded = useOwnSets(ownSets ? '' : placeId, isOfAnyVisibility ? 'seen' : 'public')
  const own = ownSets ?? loaded.map(([setId, text]) => ({ id: setId, name: text, placeId }))
  const [isSearching, setSearching] = useState(false)
  const [others, setOthers] = useState<ChosenSet[]>([])
  const { error } = useField(name, errors)
  const choices = [...own, ...general]
  const choice = useChosen(value, placeId, [...choices, ...others])
  const isListed = value === '' || choices.some((set) => set.id === value)
  const sets = isListed ? choices : [...choices, choice]
  const choose = (set: ChosenSet) => {
    setOthers([...others, set])
    setSearching(false)
    onChange(set)
  }
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {hint ? (
        <span id={`${id}-hint`} className="field-hint">
          {hint}
        </span>
      ) : null}
      <div className="row">
        <select
          {...(name === '' ? {} : { name })}
          className="grow"
          id={id}
          value={value}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={
            [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined
          }
          onChange={({ target }) => onChange(sets.find((set) => set.id === target.value) ?? null)}
        >
          <option value="">{none}</option>
          {sets.map((set) => (
            <option key={set.id} value={set.id}>
              {set.name}
            </option>
          ))}
        </select>
        {placeId === '' ? null : (
          <button
            type="button"
            className="button is-small is-quiet needs-scripts"
            aria-expanded={isSearching}
            onClick={() => setSearching(!isSearching)}
          >
            Other regions<span className="sr-only">: {label}</span>
          </button>
        )}
      </div>
      {error ? (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      ) : null}
      {isSearching ? <SetSearch {...{ placeId, whose }} onChoose={choose} /> : null}
    </div>
  )
}

/** The set with an id: of the known ones, or loaded from the server. */
function useChosen(id: string, placeId: string, knownSets: readonly ChosenSet[]): ChosenSet {
  const [answer, setAnswer] = useState<ChosenSet | null>(null)
  const here = knownSets.find((set) => set.id === id)
  const isUnknown = id !== '' && !here && !isBuiltInSet(id) && answer?.id !== id
  useEffect(() => {
    if (!isUnknown || placeId === '') return
    const control = new AbortController()
    const ask = async () => {
      const [set] = await findSets(placeId, { id }, control.signal)
      if (set) setAnswer(set)
    }
    // After a failure its id is shown.
    void ask().catch(() => {})
    return () => control.abort()
  }, [id, placeId, isUnknown])
  if (here) return here
  return answer?.id === id ? answer : { id, name: nameOfSet(id), placeId: null }
}

/** Maximum number of search results. */
const maxShown = 8

interface SetSearchProps extends Pick<SetFieldProps, 'whose'> {
  placeId: string
  onChoose(set: ChosenSet): void
}

/** Finds sets by name, country, or the name of one of their areas; debounced by 200 ms. */
function SetSearch({ placeId, whose, onChoose }: SetSearchProps) {
  const [text, setText] = useState('')
  const [hits, setHits] = useState<{ of: string; sets: SetHit[] }>({ of: '', sets: [] })
  const search = text.trim()
  useEffect(() => {
    if (search.length < 2) return
    const control = new AbortController()
    const ask = async () => {
      const sets = await findSets(placeId, { search }, control.signal)
      const isOffered = (set: SetHit) =>
        set.placeId === null || (whose === 'usable' || whose === 'own' ? set.placeId === placeId : true)
      setHits({ of: search, sets: sets.filter(isOffered) })
    }
    // A failed search is repeated with the next input.
    const timer = setTimeout(() => void ask().catch(() => {}), 200)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [search, placeId, whose])
  const isKnown = search.length >= 2 && hits.of === search
  return (
    <div className="stack">
      <label className="field">
        <span className="field-label">Country, region or name of a set</span>
        <input
          type="search"
          value={text}
          maxLength={200}
          autoComplete="off"
          placeholder="Germany, Bavaria, wards"
          onChange={({ target }) => setText(target.value)}
          // Enter must not submit the surrounding form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </label>
      <p role="status" className="field-hint">
        {!isKnown
          ? `The first-level regions of ${countriesWithRegions.length} countries, and sets that organizations have published.`
          : hits.sets.length === 0
            ? 'No results! A country that is a single region, such as Monaco, has no set of regions.'
            : hits.sets.length > maxShown
              ? `The first ${maxShown} of ${hits.sets.length}`
              : `${hits.sets.length} found`}
      </p>
      {isKnown && hits.sets.length > 0 ? (
        <ul className="stack" aria-label="Sets that were found">
          {hits.sets.slice(0, maxShown).map((set) => (
            <li key={set.id}>
              <button type="button" className="button is-small" onClick={() => onChoose(set)}>
                {set.name}
              </button>
              <p className="field-hint">{set.about}</p>
              {set.facts ? <p className="field-hint">{set.facts}</p> : null}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

/** The sets available to a place that match, with a description of each. */
async function findSets(
  placeId: string,
  options: { search: string } | { id: string },
  signal: AbortSignal,
): Promise<SetHit[]> {
  const { api } = await import('#app/client/api/index.ts')
  const { results } = await api().place.boundarySet.offered({ placeId, options }, { signal })
  return results.map((set) => {
    const areas = set.areaCount === null ? '' : `${set.areaCount} areas`
    const names = set.found.map(({ name }) => name).join(', ')
    const whose = set.placeId === null || set.placeId === placeId ? '' : `of ${set.placeName}`
    const about = [[areas, names].filter(Boolean).join(': '), whose, set.origin, set.licence, set.vintage]
    return {
      ...{ id: set.id, name: set.name, placeId: set.placeId },
      ...{ about: about.filter(Boolean).join(' · '), facts: factsOfSet(set) },
    }
  })
}
