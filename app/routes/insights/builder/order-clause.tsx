import { Clause, Messages, RemoveButton } from '#app/components/builder/clause.tsx'
import type { ColumnClauseProps } from './column-clauses.tsx'
import { isObject } from '#app/components/builder/json.ts'
import { messagesAt, useLanguage } from '#app/components/builder/language.ts'
import { changeClauses, columnIn, columnMeant, columnName } from '#app/components/builder/query-model.ts'
import { fieldIn } from '#app/components/builder/values.ts'

/** A column to order by, and its label. */
type Choice = [value: string, name: string]

/** The order of rows, and their limit. */
export function OrderClause({ clauses, onChange }: ColumnClauseProps) {
  const { fields, issues } = useLanguage()
  const { columns, orderings, limit } = clauses
  const choices: Choice[] = columns.length
    ? columns.flatMap((part): Choice[] => {
        const column = columnIn(part)
        return column ? [[column.alias, columnName(column)]] : []
      })
    : fields.map(({ field, name }) => [field, name])
  const changeOrdering = (i: number, part: unknown) =>
    onChange(changeClauses(clauses, { orderings: orderings.with(i, part) }))
  const add = (field: string) =>
    onChange(changeClauses(clauses, { orderings: [...orderings, { value: { field }, direction: 'desc' }] }))
  return (
    <Clause title="Order and limit">
      {orderings.map((part, i) => (
        <Ordering
          key={i}
          {...{ part, i, choices }}
          label={isObject(part) ? nameIn(part.value, columns) : null}
          onChange={(next) => changeOrdering(i, next)}
          onRemove={() => onChange(changeClauses(clauses, { orderings: orderings.toSpliced(i, 1) }))}
        />
      ))}
      <div className="row">
        <select
          aria-label="Add an order"
          className="clause-add"
          value=""
          onChange={(event) => event.target.value && add(event.target.value)}
        >
          <option value="">Order by…</option>
          {choices.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        <label className="row">
          At most
          <input
            className="is-number"
            inputMode="numeric"
            value={limit === undefined || limit === null ? '' : String(limit)}
            placeholder="all"
            onChange={(event) =>
              onChange(changeClauses(clauses, { limit: limitFrom(event.target.value) }), 'limit')
            }
          />
          rows
        </label>
      </div>
      <Messages messages={messagesAt(issues, 'limit')} />
    </Clause>
  )
}

interface OrderingProps {
  part: unknown
  i: number
  choices: Choice[]
  /** The label; null for an unsupported ordering. */
  label: string | null
  onChange(part: unknown): void
  onRemove(): void
}

function Ordering({ part, i, choices, label, onChange, onRemove }: OrderingProps) {
  const { issues } = useLanguage()
  return (
    <div className="clause-part">
      <div className="row">
        {label !== null && isObject(part) ? (
          <>
            <select
              aria-label={`Order ${i + 1}`}
              value={label}
              onChange={(event) => onChange({ ...part, value: { field: event.target.value } })}
            >
              {choices.some(([value]) => value === label) ? null : <option value={label}>{label}</option>}
              {choices.map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
            <select
              aria-label={`Direction ${i + 1}`}
              value={part.direction === 'desc' ? 'desc' : 'asc'}
              onChange={(event) => onChange({ ...part, direction: event.target.value })}
            >
              <option value="asc">smallest first</option>
              <option value="desc">largest first</option>
            </select>
          </>
        ) : (
          <code className="code kept-json">{JSON.stringify(part)}</code>
        )}
        <RemoveButton what="order" onPress={onRemove} />
      </div>
      <Messages messages={messagesAt(issues, 'orderings', i)} />
    </div>
  )
}

/** The value of an ordering in the select: an alias or a field; null for others. */
function nameIn(value: unknown, columns: readonly unknown[]): string | null {
  const column = columnIn(columns[columnMeant(value, columns)])
  return column?.alias ?? fieldIn(value)
}

function limitFrom(text: string): number | string | undefined {
  if (text.trim() === '') return undefined
  return /^\d{1,9}$/.test(text) ? Number(text) : text
}
