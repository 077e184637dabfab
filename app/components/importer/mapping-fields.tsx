import { formatNumber } from '../list/number-format.ts'
import { useRef, useState, type ReactNode } from 'react'
import { columnReadingNames, readingOffers, type ColumnReadings } from './column-reading.ts'
import {
  parseMappingValue,
  inputName,
  plainTransforms,
  type FieldMade,
  type MappingWay,
} from './mapping-form.ts'
import { PlaceFields, PlacesFound } from './place-fields.tsx'
import { ColumnSelect } from './column-select.tsx'
import { formatShortValue, type Guess, type SeenColumn, type TrialResult } from './trial.ts'
import { fieldTypes, type Field, type FieldSchema } from '#functions/shapes/field.ts'
import type { ChosenSet } from '#app/components/query/set-field.tsx'
import type { Mapping } from '#functions/shapes/importer-mapping.ts'

/** Words that stand or may stand for missing values in the first rows, by column. */
type WordsByColumn = Readonly<Record<string, readonly string[]>>

/** The words that a trial found, by column. */
export const getWordsByColumn = ({ fields }: Pick<Guess, 'fields'>): WordsByColumn =>
  Object.fromEntries(
    fields.flatMap(({ paths, missing }) =>
      paths.length === 1 && missing.length > 0 ? [[paths[0], missing.map(({ word }) => word)]] : [],
    ),
  )

export interface MappingFieldsProps {
  schema: FieldSchema
  mapping: Mapping
  columns: ColumnReadings
  /** The detected columns; names in the mapping are offered as well. */
  paths: SeenColumn[]
  /** The words found in the first rows that stand or may stand for missing values, by column. */
  words: WordsByColumn
  /** The first rows as they would be imported, for examples. */
  rows: TrialResult['rows']
  /** The boundary sets of the organization; without it they are loaded by scripts. */
  sets?: readonly ChosenSet[]
}

const howNames: Record<MappingWay, string> = {
  none: 'Nothing',
  column: 'A column',
  point: 'Longitude, latitude',
  place: 'The name of a place',
  constant: 'The same for all',
  json: 'As JSON',
}

/** For each field of a data type: its column or other origin, reading options, and example values. */
export function MappingFields({ schema, mapping, columns, paths, words, rows, sets }: MappingFieldsProps) {
  const others = Object.keys(mapping).filter((key) => !Object.hasOwn(schema, key))
  const entries: [string, Field][] = [
    ...Object.entries(schema),
    ...others.map((key): [string, Field] => [key, { name: key, type: 'object' }]),
  ]
  return (
    <div className="mapping" role="group" aria-label="Field mapping">
      {entries.map(([key, field]) => (
        <MappedField
          key={key}
          {...{ name: key, field, columns, paths, words, sets }}
          start={parseMappingValue(mapping[key])}
          examples={pickExamples(rows, key)}
          placesNote={
            <PlacesFound
              {...{ rows, name: key }}
              isOfGazetteer={parseMappingValue(mapping[key]).kind !== 'area'}
            />
          }
        />
      ))}
    </div>
  )
}

/** The class of inputs that are not chosen: hidden, except without scripts, where nothing could show them. */
const unchosen = (isUnchosen: boolean) => (isUnchosen ? 'is-unchosen' : undefined)

interface MappedFieldProps {
  name: string
  field: Field
  start: FieldMade
  columns: ColumnReadings
  paths: SeenColumn[]
  words: WordsByColumn
  examples: string[]
  sets: readonly ChosenSet[] | undefined
  /** How many place names of the first rows were found, if tried. */
  placesNote: ReactNode
}

function MappedField(props: MappedFieldProps) {
  const { name, field, start, columns, paths, words, examples, sets, placesNote } = props
  const [how, setHow] = useState(start.how)
  const [column, setColumn] = useState(start.column)
  const choices: MappingWay[] = [
    'none',
    'column',
    ...(field.type === 'point' ? (['point', 'place'] as const) : []),
    'constant',
    'json',
  ]
  const seenColumn = paths.find(({ path }) => path === column)
  const part = (key: keyof FieldMade) => inputName(name, key)
  return (
    <fieldset className="mapped">
      <legend>
        {field.name} <small>{fieldTypes[field.type]}</small>
        {field.validation?.required === true ? <span className="badge">Required</span> : null}
      </legend>
      <input type="hidden" name="target" value={name} />
      <div className="mapped-inputs">
        <select
          name={part('how')}
          aria-label={`What ${field.name} is made of`}
          defaultValue={start.how}
          onChange={(event) => setHow(event.currentTarget.value as MappingWay)}
        >
          {choices.map((value) => (
            <option key={value} value={value}>
              {howNames[value]}
            </option>
          ))}
        </select>
        <MadeOfColumn {...{ name, field, start, paths, how }} onColumn={setColumn} />
        {field.type === 'point' ? (
          <PlaceFields {...{ name, field, start, paths, sets }} isShown={how === 'place'} />
        ) : null}
        <input
          name={part('constant')}
          aria-label={`Value of ${field.name} in all records`}
          placeholder={howNames.constant}
          defaultValue={start.constant}
          className={unchosen(how !== 'constant')}
        />
        <textarea
          name={part('json')}
          aria-label={`${field.name} as JSON`}
          className={`code ${unchosen(how !== 'json') ?? ''}`}
          rows={4}
          defaultValue={start.json}
        />
      </div>
      {how === 'column' || how === 'point' ? (
        <Readings {...{ field, column, columns }} words={words[column] ?? []} />
      ) : null}
      <p className="mapped-notes">
        {seenColumn ? (
          <>
            {formatNumber(seenColumn.values)} values, {formatNumber(seenColumn.distinct)} different
            {seenColumn.missing ? `, ${formatNumber(seenColumn.missing)} missing` : ''}:{' '}
            {seenColumn.examples.slice(0, 3).join(' · ')}
          </>
        ) : null}
        {examples.length ? (
          <span>
            {' '}
            → <span className="mapped-out">{examples.join(' · ')}</span>
          </span>
        ) : null}
      </p>
      {start.how === 'place' ? placesNote : null}
    </fieldset>
  )
}

interface MadeOfColumnProps extends Pick<MappedFieldProps, 'name' | 'field' | 'start' | 'paths'> {
  how: MappingWay
  onColumn(path: string): void
}

/** The column, or the two of a point, and a transform. */
function MadeOfColumn({ name, field, start, paths, how, onColumn }: MadeOfColumnProps) {
  const isPoint = field.type === 'point'
  const part = (key: keyof FieldMade) => inputName(name, key)
  return (
    <span
      className={`mapped-inputs ${unchosen(how !== 'column' && how !== 'point' && how !== 'place') ?? ''}`}
    >
      <ColumnSelect
        name={part('column')}
        label={
          how === 'point'
            ? `Longitude of ${field.name}`
            : how === 'place'
              ? `Names for ${field.name}`
              : `Column of ${field.name}`
        }
        {...{ paths, start: start.column }}
        onChange={onColumn}
      />
      {isPoint ? (
        <span className={unchosen(how !== 'point')}>
          <ColumnSelect
            name={part('second')}
            label={`Latitude of ${field.name}`}
            none="Latitude…"
            {...{ paths, start: start.second }}
          />
        </span>
      ) : null}
      <select
        name={part('transform')}
        aria-label={`Done with ${field.name}`}
        defaultValue={start.transform}
        className={unchosen(how !== 'column')}
      >
        <option value="">As it stands</option>
        {plainTransforms.map((each) => (
          <option key={each.name} value={each.name}>
            {each.notes.replace(/\.$/, '')}
          </option>
        ))}
      </select>
    </span>
  )
}

interface ReadingsProps {
  field: Field
  column: string
  columns: ColumnReadings
  /** Words of the column that stand or may stand for missing values. */
  words: readonly string[]
}

/** The reading options of the column, where texts are ambiguous. */
function Readings({ field, column, columns, words }: ReadingsProps) {
  const input = useRef<HTMLInputElement>(null)
  const offers = readingOffers(field.type)
  const reading = columns[column] ?? {}
  if (!column) return null
  const getInputName = (part: string) => `r.${column}.${part}`
  const hidden = columnReadingNames.filter((name) => !offers.some((offer) => offer.name === name))
  return (
    <div className="mapped-inputs" key={column}>
      <input type="hidden" name="read" value={column} />
      <input type="hidden" name={getInputName('kept')} value={JSON.stringify(reading)} />
      {hidden.map((name) =>
        reading[name] === undefined ? null : (
          <input key={name} type="hidden" name={getInputName(name)} value={reading[name]} />
        ),
      )}
      {offers.map(({ name, label, options }) => (
        <label key={name} className="mapped-reading">
          {label}
          <select name={getInputName(name)} defaultValue={reading[name] ?? ''}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        </label>
      ))}
      <label className="mapped-reading">
        Also missing (words, commas between)
        <input
          name={getInputName('missing')}
          ref={input}
          defaultValue={reading.missing?.join(', ')}
          autoCapitalize="none"
          spellCheck={false}
        />
      </label>
      {words.length > 0 ? (
        <span className="mapped-reading">
          Found:{' '}
          {words.map((word) => (
            <button
              key={word}
              type="button"
              className="button is-small"
              aria-label={`Read “${word}” in ${field.name} as missing`}
              onClick={() => addWord(input.current, word)}
            >
              {word}
            </button>
          ))}
        </span>
      ) : null}
    </div>
  )
}

/** Adds a word to those of an input, unless it is there. */
function addWord(input: HTMLInputElement | null, word: string): void {
  if (!input) return
  const words = input.value.split(',').map((each) => each.trim())
  if (!words.includes(word)) input.value = [...words.filter(Boolean), word].join(', ')
}

function pickExamples(rows: TrialResult['rows'], key: string): string[] {
  const values = rows.map(({ output }) =>
    formatShortValue((output as Record<string, unknown> | null)?.[key], 40),
  )
  return [...new Set(values.filter((text) => text !== ''))].slice(0, 3)
}
