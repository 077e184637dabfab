import { useState } from 'react'
import { SetField, type ChosenSet } from '#app/components/query/set-field.tsx'
import { ColumnSelect } from './column-select.tsx'
import { areaChoices, inputName, placeChoices, type FieldMade } from './mapping-form.ts'
import type { SeenColumn, TrialResult } from './trial.ts'
import type { Field } from '#functions/shapes/field.ts'

interface PlaceFieldsProps {
  name: string
  field: Field
  start: FieldMade
  paths: SeenColumn[]
  isShown: boolean
  /** The boundary sets of the organization; undefined: they are loaded. */
  sets: readonly ChosenSet[] | undefined
}

/** What the names in a column are: towns and the like with what they lie in, or the areas of a boundary set. */
export function PlaceFields({ name, field, start, paths, isShown, sets }: PlaceFieldsProps) {
  const [kind, setKind] = useState(start.kind)
  const part = (key: keyof FieldMade) => inputName(name, key)
  const isOfSet = kind === 'area'
  return (
    <span className={`mapped-inputs${isShown ? '' : ' is-unchosen'}`}>
      <label className="mapped-reading">
        They name
        <select
          name={part('kind')}
          defaultValue={start.kind}
          onChange={(event) => setKind(event.currentTarget.value)}
        >
          {placeChoices.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <AreaFields {...{ name, start, sets }} isShown={isOfSet} />
      <TownFields {...{ name, field, start, paths }} isShown={!isOfSet} />
    </span>
  )
}

/** The boundary set that a column names areas of, and what they are found by. */
function AreaFields({ name, start, sets, isShown }: Omit<PlaceFieldsProps, 'field' | 'paths'>) {
  const [set, setSet] = useState(start.set)
  return (
    <span className={`mapped-inputs${isShown ? '' : ' is-unchosen'}`}>
      <SetField
        label="Boundary set"
        name={inputName(name, 'set')}
        hint="A row gets a point inside the area that it names."
        none="Choose a boundary set…"
        whose="own"
        {...(sets && { ownSets: sets })}
        value={set}
        onChange={(choice) => setSet(choice?.id ?? '')}
      />
      <label className="mapped-reading">
        Areas are found by
        <select name={inputName(name, 'by')} defaultValue={start.by}>
          {areaChoices.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </span>
  )
}

/** What towns, regions and postal codes lie in, and which of several is meant. */
function TownFields({ name, field, start, paths, isShown }: Omit<PlaceFieldsProps, 'sets'>) {
  const part = (key: keyof FieldMade) => inputName(name, key)
  return (
    <span className={`mapped-inputs${isShown ? '' : ' is-unchosen'}`}>
      <span className="mapped-reading">
        State or region
        <ColumnSelect
          name={part('region')}
          label={`Region of ${field.name}`}
          none="No column says it"
          {...{ paths, start: start.region }}
        />
      </span>
      <span className="mapped-reading">
        Country
        <ColumnSelect
          name={part('country')}
          label={`Country of ${field.name}`}
          none="No column says it"
          {...{ paths, start: start.country }}
        />
      </span>
      <label className="mapped-reading">
        All lie in the country
        <input name={part('inCountry')} defaultValue={start.inCountry} placeholder="Any" />
      </label>
      <label className="mapped-reading">
        Several places of a name
        <select name={part('prefer')} defaultValue={start.prefer}>
          <option value="">None of them: the row gets no point</option>
          <option value="largest">The one with the most people</option>
        </select>
      </label>
    </span>
  )
}

interface PlacesFoundProps {
  rows: TrialResult['rows']
  name: string
  /** Whether they are of the gazetteer, whose sources are to be named. */
  isOfGazetteer: boolean
}

/** How many place names of the first rows were found, and the first misses with the reason. */
export function PlacesFound({ rows, name, isOfGazetteer }: PlacesFoundProps) {
  const misses = rows.flatMap(({ noPlaces }) => (noPlaces ?? []).filter(({ field }) => field === name))
  const placeCount = rows.filter(({ output }) => (output as Record<string, unknown> | null)?.[name]).length
  const count = (kind: 'ambiguous' | 'unknown') => misses.filter((each) => each.kind === kind).length
  if (placeCount + misses.length === 0) return null
  const messages = [...new Set(misses.map(({ message }) => message))].slice(0, 5)
  return (
    <div className="stack is-tight" role="status">
      <p>
        Of the first rows <strong className="num">{placeCount}</strong> get a point,{' '}
        <strong className="num">{count('ambiguous')}</strong> name several places,{' '}
        <strong className="num">{count('unknown')}</strong> are not known.
        {isOfGazetteer ? (
          <>
            {' '}
            Names are those of <a href="https://www.geonames.org/">GeoNames</a> (CC BY 4.0) and Natural Earth.
          </>
        ) : null}
      </p>
      {messages.length > 0 ? (
        <ul className="notes">
          {messages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
