import { RemoveButton } from '#app/components/builder/clause.tsx'
import { FieldSelect } from './field-select.tsx'
import { printFilter } from '#app/components/builder/filter-model.ts'
import { likelyPair, pairable, type Pair } from './join-model.ts'
import { constantFrom, isConstant, type BuilderField } from '#app/components/builder/values.ts'

export interface PairEditorProps {
  pairs: Pair[]
  /** The name of the joined data. */
  label: string
  theirs: BuilderField[]
  own: BuilderField[]
  onChange(pairs: Pair[], tag?: string): void
}

const ways = { same: 'is the same as', near: 'lies near', touch: 'touches or overlaps' }

/** The editor of a join's conditions, which are combined with and. */
export function PairEditor({ pairs, label, theirs, own, onChange }: PairEditorProps) {
  const add = () => onChange([...pairs, createInitialPair(theirs, own)])
  const mayAdd = theirs.length > 0 && own.length > 0
  return (
    <div className="pairs">
      {pairs.length === 0 ? (
        <p className="muted">Every record stands beside every record of {label}.</p>
      ) : null}
      {pairs.map((pair, i) => (
        <div key={i} className="filter-node">
          {pair.by === 'other' ? (
            <code className="code kept-json" title="Kept as it is; change it in the JSON below.">
              {JSON.stringify(printFilter(pair.node))}
            </code>
          ) : (
            <PairRow
              {...{ pair, label, theirs, own }}
              onChange={(next, tag) => onChange(pairs.with(i, next), tag)}
            />
          )}
          <RemoveButton what="condition" onPress={() => onChange(pairs.toSpliced(i, 1))} />
        </div>
      ))}
      {mayAdd ? (
        <button type="button" className="button is-small" onClick={add}>
          Add a condition
        </button>
      ) : null}
    </div>
  )
}

type EditablePair = Exclude<Pair, { by: 'other' }>

function PairRow({
  pair,
  label,
  theirs,
  own,
  onChange,
}: Omit<PairEditorProps, 'pairs' | 'onChange'> & {
  pair: EditablePair
  onChange(pair: Pair, tag?: string): void
}) {
  const type = theirs.find(({ field }) => field === pair.theirs)?.type
  const left = pairable(pair.by, theirs)
  // Equality requires the same type, which the server enforces.
  const right = pairable(pair.by, own).filter((each) => pair.by !== 'same' || !type || each.type === type)
  const hasPlaces = pairable('near', theirs).length > 0 && pairable('near', own).length > 0
  const pairKinds =
    hasPlaces || pair.by !== 'same' ? (['same', 'near', 'touch'] as const) : (['same'] as const)
  const chooseTheirs = (field: string) => {
    const next = theirs.find((each) => each.field === field)?.type
    const fits = pair.by !== 'same' || own.find((each) => each.field === pair.ours)?.type === next
    const ours = fits
      ? pair.ours
      : (pairable('same', own).find((each) => each.type === next)?.field ?? pair.ours)
    onChange({ ...pair, theirs: field, ours })
  }
  return (
    <div className="rule">
      <FieldSelect label={`Field of ${label}`} value={pair.theirs} fields={left} onChange={chooseTheirs} />
      <select
        aria-label={`How records of ${label} belong to those asked`}
        value={pair.by}
        onChange={(event) =>
          onChange(convertPair(pair, event.target.value as EditablePair['by'], theirs, own))
        }
      >
        {pairKinds.map((by) => (
          <option key={by} value={by}>
            {ways[by]}
          </option>
        ))}
      </select>
      <FieldSelect
        label="Field of the records asked"
        value={pair.ours}
        fields={right}
        onChange={(ours) => onChange({ ...pair, ours })}
      />
      {pair.by === 'near' ? (
        <label className="row">
          within
          <input
            className="is-number"
            aria-label={`Metres between a record and one of ${label}`}
            inputMode="decimal"
            value={isConstant(pair.metres) && pair.metres !== null ? String(pair.metres) : ''}
            onChange={(event) =>
              onChange({ ...pair, metres: constantFrom(event.target.value, 'number') }, 'metres')
            }
          />
          metres
        </label>
      ) : null}
    </div>
  )
}

/** A condition of another kind, with suitable fields. */
function convertPair(
  pair: EditablePair,
  by: EditablePair['by'],
  theirs: BuilderField[],
  own: BuilderField[],
): Pair {
  const chooseField = (path: string, fields: BuilderField[]) =>
    fields.some(({ field }) => field === path) ? path : (fields[0]?.field ?? path)
  const fields = {
    theirs: chooseField(pair.theirs, pairable(by, theirs)),
    ours: chooseField(pair.ours, pairable(by, own)),
  }
  if (by === 'near') return { by, ...fields, metres: pair.by === 'near' ? pair.metres : 100 }
  if (by === 'touch') return { by, ...fields }
  const likely = likelyPair(pairable('same', theirs), pairable('same', own))
  return likely ?? { by, ...fields }
}

/** The initial condition: the most likely one, else with the first fields. */
function createInitialPair(theirs: BuilderField[], own: BuilderField[]): Pair {
  const getDefaultField = (fields: BuilderField[]) =>
    fields.find(({ field }) => field === 'id')?.field ?? fields[0]?.field ?? ''
  return (
    likelyPair(theirs, own) ?? { by: 'same', theirs: getDefaultField(theirs), ours: getDefaultField(own) }
  )
}
