import { Clause, Messages, RemoveButton } from '#app/components/builder/clause.tsx'
import type { ColumnClauseProps } from './column-clauses.tsx'
import { monthNames } from '#app/components/list/date-format.ts'
import { without } from '#app/components/builder/json.ts'
import { messagesAt, useLanguage } from '#app/components/builder/language.ts'
import { changeClauses, serializeClauses } from '#app/components/builder/query-model.ts'
import { areasIn } from './within-clause.tsx'
import { usesCustomYear } from '#app/components/builder/values.ts'

/** The calendar of the query, and its parts without a clause, which are only shown. */
export function MoreClause({ clauses, onChange }: ColumnClauseProps) {
  const { issues } = useLanguage()
  const { timezone, customYearStart, unshownParts } = clauses
  const hasCustomYear = customYearStart !== undefined || usesCustomYear(serializeClauses(clauses))
  // Areas of a set have a clause of their own.
  const others = Object.entries(unshownParts).filter(
    ([key, json]) => key !== 'within' || areasIn(json) === null,
  )
  return (
    <Clause title="More">
      <div className="chart-settings">
        {hasCustomYear ? (
          <label className="field">
            <span className="field-label">Custom years begin in</span>
            <select
              value={String(customYearStart ?? 1)}
              onChange={(event) =>
                onChange(changeClauses(clauses, { customYearStart: Number(event.target.value) }))
              }
            >
              {monthNames.map((month, i) => (
                <option key={month} value={i + 1}>
                  {month}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        <label className="field">
          <span className="field-label">Time zone</span>
          <input
            aria-invalid={messagesAt(issues, 'timezone').length > 0 || undefined}
            value={typeof timezone === 'string' ? timezone : ''}
            placeholder="The organization’s own"
            onChange={(event) =>
              onChange(changeClauses(clauses, { timezone: event.target.value || undefined }), 'zone')
            }
          />
          <Messages
            messages={[...messagesAt(issues, 'timezone'), ...messagesAt(issues, 'customYearStart')]}
          />
        </label>
      </div>
      {others.map(([key, json]) => (
        <Kept
          key={key}
          name={key}
          json={json}
          messages={messagesAt(issues, key)}
          onRemove={() => onChange(changeClauses(clauses, { unshownParts: without(unshownParts, key) }))}
        />
      ))}
    </Clause>
  )
}

interface KeptProps {
  name: string
  json: unknown
  messages?: string[]
  onRemove(): void
}

/** A part of the query that is edited as JSON. */
function Kept({ name, json, messages = [], onRemove }: KeptProps) {
  return (
    <div className="clause-part">
      <div className="row">
        <span className="tag">{name}</span>
        <code className="code kept-json">{JSON.stringify(json)}</code>
        <RemoveButton what={name} onPress={onRemove} />
      </div>
      <Messages messages={messages} />
    </div>
  )
}
