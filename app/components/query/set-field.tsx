import { useEffect, useId, useState } from 'react'
import { useRouteLoaderData } from '@remix-run/react'
import { useOwnSets } from '#app/client/use-own-sets.ts'
import { useField } from '#app/components/form/form-fields.ts'
import type { FormErrors } from '#app/components/form/issues.ts'
import type { MainFrame } from '#app/components/shell/frame.ts'
import { countriesWithRegions, generalSets, isBuiltInSet, nameOfSet } from '#functions/shapes/regionSets.ts'

/** A set of regions that was chosen, and whose it is: everyone's where `placeId` is null. */
export interface ChosenSet {
  id: string
  name: string
  placeId: string | null
}

interface SetHit extends ChosenSet {
  /** How many areas it has and which of them fit, whose it is, and its source, licence and time. */
  about: string
}

interface SetFieldProps {
  label: string
  /** Of the input, where its form is sent. */
  name?: string
  hint?: string
  errors?: FormErrors
  /** The id of the set that is chosen; '': none. */
  value: string
  /** What the choice of none is called. */
  none: string
  /**
   * Which sets there are to choose: the built-in ones, which everyone has (`built-in`); also the public ones of the organization (`usable`); also public ones of others
   * (`all`); also those of the organization that are not public (`seen`).
   */
  whose: 'built-in' | 'usable' | 'all' | 'seen'
  onChange(set: ChosenSet | null): void
}

const general = Object.entries(generalSets).map(([id, name]): ChosenSet => ({ id, name, placeId: null }))

/** Chooses a set of regions: one of the organization or of the usual ones from a list, any other by searching for its name, its country or a region of it. */
export function SetField({ label, name = '', hint, errors, value, none, whose, onChange }: SetFieldProps) {
  const id = useId()
  const frame = useRouteLoaderData<{ main: MainFrame | null }>('root')?.main
  const placeId = frame?.place?.id ?? ''
  const own = useOwnSets(whose === 'built-in' ? '' : placeId, whose === 'seen' ? 'seen' : 'public')
  const [isSearching, setSearching] = useState(false)
  const [others, setOthers] = useState<ChosenSet[]>([])
  const { error } = useField(name, errors)
  const choices = [...own.map(([setId, text]) => ({ id: setId, name: text, placeId })), ...general]
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

/** The set of an id by its name: of those that are known here, or as the server calls it. */
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
    // Who cannot be asked now leaves its id.
    void ask().catch(() => {})
    return () => control.abort()
  }, [id, placeId, isUnknown])
  if (here) return here
  return answer?.id === id ? answer : { id, name: nameOfSet(id), placeId: null }
}

/** So many of what was found are shown. */
const mostShown = 8

interface SetSearchProps extends Pick<SetFieldProps, 'whose'> {
  placeId: string
  onChoose(set: ChosenSet): void
}

/** Finds sets by their name, the country whose regions they are, or the name of one of their areas; asked 200 ms after the last letter. */
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
        set.placeId === null ||
        (whose === 'usable' ? set.placeId === placeId : whose === 'all' || whose === 'seen')
      setHits({ of: search, sets: sets.filter(isOffered) })
    }
    // Who cannot be asked now is asked with the next letter.
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
          // The form around it is not sent.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </label>
      <p role="status" className="field-hint">
        {!isKnown
          ? `The first-level regions of ${countriesWithRegions.length} countries, and sets that organizations have published.`
          : hits.sets.length === 0
            ? 'No results!'
            : hits.sets.length > mostShown
              ? `The first ${mostShown} of ${hits.sets.length}`
              : `${hits.sets.length} found`}
      </p>
      {isKnown && hits.sets.length > 0 ? (
        <ul className="stack" aria-label="Sets that were found">
          {hits.sets.slice(0, mostShown).map((set) => (
            <li key={set.id}>
              <button type="button" className="button is-small" onClick={() => onChoose(set)}>
                {set.name}
              </button>
              <p className="field-hint">{set.about}</p>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

/** The sets that a place may use and that fit, with what is said of each. */
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
    return { id: set.id, name: set.name, placeId: set.placeId, about: about.filter(Boolean).join(' · ') }
  })
}
