import { ChevronDown, ChevronUp } from 'lucide-react'
import { Clause, Messages, RemoveButton } from '#app/components/builder/clause.tsx'
import { Divide } from './divide.tsx'
import { FilterEditor } from '#app/components/builder/filter-editor.tsx'
import { parseFilter, printFilter } from '#app/components/builder/filter-model.ts'
import { isObject, without } from '#app/components/builder/json.ts'
import { messagesAt, useLanguage } from '#app/components/builder/language.ts'
import { addGroup, addSummary, moveColumn, newColumn, removeColumn, setColumn } from './query-edits.ts'
import {
  columnIn,
  columnMeant,
  columnName,
  groupedColumns,
  type Clauses,
  type Column,
} from '#app/components/builder/query-model.ts'
import { buildInitialCall, ValueEditor } from '#app/components/builder/value-editor.tsx'
import { divideField, getDefaultDivision, divisionIn } from '#app/components/builder/values.ts'

export interface ColumnClauseProps {
  clauses: Clauses
  onChange(clauses: Clauses, tag?: string): void
}

/** The aggregations, a column each. */
export function SummaryClause({ clauses, onChange }: ColumnClauseProps) {
  const language = useLanguage()
  const grouped = new Set(groupedColumns(clauses))
  const aggregates = Object.entries(language.functions).filter(([, { aggregate }]) => aggregate)
  const add = (name: string) =>
    onChange(
      addSummary(
        clauses,
        newColumn(buildInitialCall(name, language, []), clauses, language.fields, language.functions),
      ),
    )
  return (
    <Clause title="Summarise">
      {clauses.columns.map((part, i) =>
        grouped.has(i) ? null : <ColumnEditor key={i} {...{ clauses, onChange, part }} index={i} />,
      )}
      <select
        aria-label="Add a summary"
        className="clause-add"
        value=""
        onChange={(event) => event.target.value && add(event.target.value)}
      >
        <option value="">Add a summary…</option>
        {aggregates.map(([key, { name }]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
      {clauses.columns.length === 0 ? (
        <p className="muted">Without a summary the answer is the records themselves.</p>
      ) : null}
    </Clause>
  )
}

/** The groups of the result: fields, possibly by units of dates or in steps of numbers. */
export function GroupClause({ clauses, onChange }: ColumnClauseProps) {
  const { fields, functions, issues } = useLanguage()
  const { columns, groupings } = clauses
  const add = (path: string) => {
    const selectedField = fields.find(({ field }) => field === path)
    const value =
      selectedField?.type === 'array'
        ? { function: 'expand', arguments: [{ field: path }] }
        : divideField(path, getDefaultDivision(selectedField))
    onChange(addGroup(clauses, newColumn(value, clauses, fields, functions)))
  }
  return (
    <Clause title="Group by">
      {groupings.map((value, i) => {
        const index = columnMeant(value, columns)
        if (index !== -1)
          return (
            <div key={i} className="clause-part">
              <ColumnEditor {...{ clauses, onChange, index }} part={columns[index]} isGroup />
              <Messages messages={messagesAt(issues, 'groupings', i)} />
            </div>
          )
        return (
          <div key={i} className="clause-part">
            <div className="row">
              <ValueEditor
                value={value}
                types={[]}
                label="Group"
                mayBeConstant={false}
                onChange={(next) => onChange({ ...clauses, groupings: groupings.with(i, next) })}
              />
              <RemoveButton
                what="group"
                onPress={() => onChange({ ...clauses, groupings: groupings.toSpliced(i, 1) })}
              />
            </div>
            <Messages messages={messagesAt(issues, 'groupings', i)} />
          </div>
        )
      })}
      <select
        aria-label="Add a group"
        className="clause-add"
        value=""
        onChange={(event) => event.target.value && add(event.target.value)}
      >
        <option value="">Add a group…</option>
        {fields.map(({ field, name }) => (
          <option key={field} value={field}>
            {name}
          </option>
        ))}
      </select>
    </Clause>
  )
}

interface ColumnEditorProps extends ColumnClauseProps {
  part: unknown
  index: number
  isGroup?: boolean
}

function ColumnEditor({ clauses, onChange, part, index, isGroup = false }: ColumnEditorProps) {
  const { fields, functions, issues } = useLanguage()
  const column = columnIn(part)
  const remove = () => onChange(removeColumn(clauses, index))
  if (!column)
    return (
      <div className="row">
        <code className="code kept-json">{JSON.stringify(part)}</code>
        <RemoveButton what="column" onPress={remove} />
      </div>
    )
  const name = columnName(column)
  const changeColumn = (next: Column, tag?: string) => onChange(setColumn(clauses, index, next), tag)
  const putValue = (value: unknown) => {
    // A generated name follows the value; a typed one stays.
    const generatedName = newColumn(column.value, clauses, fields, functions).name
    const isMade = column.name === undefined || column.name === generatedName
    const next = newColumn(value, clauses, fields, functions).name
    changeColumn({ ...column, value, ...(isMade ? { name: next } : {}) })
  }
  return (
    <div className="column-editor" role="group" aria-label={name}>
      <div className="column-head">
        {isGroup && divisionIn(column.value) ? (
          <Divide value={column.value} label={name} onChange={putValue} />
        ) : (
          <ValueEditor
            value={column.value}
            types={[]}
            label={isGroup ? 'Group' : 'Summary'}
            mayAggregate={!isGroup}
            onChange={putValue}
          />
        )}
        <div className="filter-tools">
          <Move {...{ clauses, onChange, index, name }} />
          <RemoveButton what={name} onPress={remove} />
        </div>
      </div>
      <ColumnMore {...{ column, name, index, isGroup }} onChange={changeColumn} />
      <Messages messages={messagesAt(issues, 'aggregations', index)} />
    </div>
  )
}

interface ColumnMoreProps {
  column: Column
  name: string
  index: number
  isGroup: boolean
  onChange(column: Column, tag: string): void
}

/** Its name, and for an aggregation its filters. */
function ColumnMore({ column, name, index, isGroup, onChange }: ColumnMoreProps) {
  return (
    <details className="column-more">
      <summary>
        Named “{name}”{column.filters === undefined ? '' : ', with its own filter'}
      </summary>
      <label className="field">
        <span className="field-label">Name</span>
        <input
          value={typeof column.name === 'string' ? column.name : ''}
          maxLength={64}
          placeholder={column.alias}
          onChange={(event) =>
            onChange(
              (event.target.value === ''
                ? without(column, 'name')
                : { ...column, name: event.target.value }) as Column,
              `name:${index}`,
            )
          }
        />
      </label>
      {isGroup ? null : (
        <div className="field">
          <span className="field-label">Only of records where</span>
          <FilterEditor
            filters={
              isObject(column.filters) || Array.isArray(column.filters) ? parseFilter(column.filters) : null
            }
            onChange={(filters) =>
              onChange(
                (filters
                  ? { ...column, filters: printFilter(filters) }
                  : without(column, 'filters')) as Column,
                `filters:${index}`,
              )
            }
          />
        </div>
      )}
    </details>
  )
}

function Move({ clauses, onChange, index, name }: ColumnClauseProps & { index: number; name: string }) {
  const up = moveColumn(clauses, index, -1)
  const down = moveColumn(clauses, index, 1)
  if (up === clauses && down === clauses) return null
  const button = (next: Clauses, words: string, Icon: typeof ChevronUp) => (
    <button
      type="button"
      className="button is-quiet is-icon is-small"
      aria-label={`Move ${name} ${words}`}
      disabled={next === clauses}
      onClick={() => onChange(next)}
    >
      <Icon size={16} aria-hidden="true" />
    </button>
  )
  return (
    <>
      {button(up, 'up', ChevronUp)}
      {button(down, 'down', ChevronDown)}
    </>
  )
}
