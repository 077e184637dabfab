import { ColumnSelect } from './column-select.tsx'
import { inputName, placeChoices, type FieldMade } from './mapping-form.ts'
import type { SeenColumn, TrialResult } from './trial.ts'
import type { Field } from '#functions/shapes/field.ts'

interface PlaceFieldsProps {
  name: string
  field: Field
  start: FieldMade
  paths: SeenColumn[]
  isShown: boolean
}

/** The kind and area of the place names in a column, and the preference among several matches. */
export function PlaceFields({ name, field, start, paths, isShown }: PlaceFieldsProps) {
  const part = (key: keyof FieldMade) => inputName(name, key)
  return (
    <span className="mapped-inputs" hidden={!isShown}>
      <label className="mapped-reading">
        They name
        <select name={part('kind')} defaultValue={start.kind}>
          {placeChoices.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
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

/** How many place names of the first rows were found, and the first misses with the reason. */
export function PlacesFound({ rows, name }: { rows: TrialResult['rows']; name: string }) {
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
        <strong className="num">{count('unknown')}</strong> are not known. Names are those of{' '}
        <a href="https://www.geonames.org/">GeoNames</a> (CC BY 4.0) and Natural Earth.
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
