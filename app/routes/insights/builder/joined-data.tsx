import { Messages, RemoveButton } from '#app/components/builder/clause.tsx'
import type { JoinClauseProps } from './join-clause.tsx'
import { isRequired, mentions, toPairs, removeJoin, withPairs, withPartner } from './join-model.ts'
import {
  parseJoinItem,
  joinLabel,
  getJoinTarget,
  withJoins,
  type Join,
} from '#app/components/builder/join-target.ts'
import { without } from '#app/components/builder/json.ts'
import { messagesAt, useLanguage } from '#app/components/builder/language.ts'
import { PairEditor } from './pair-editor.tsx'
import type { JoinedFields } from './use-joined.ts'

export interface JoinedDataProps extends Pick<
  JoinClauseProps,
  'clauses' | 'dataTypes' | 'own' | 'joined' | 'onChange'
> {
  /** All items of the query's `joins`, including unsupported ones. */
  joins: unknown[]
}

/** The joins of a query with their conditions; unsupported ones as JSON. */
export function JoinedData({ clauses, joins, dataTypes, own, joined, onChange }: JoinedDataProps) {
  const { issues } = useLanguage()
  return joins.map((part, i) => {
    const join = parseJoinItem(part)
    const remove = () => onChange(removeJoin(clauses, joins, i))
    if (!join)
      return (
        <div key={i} className="clause-part">
          <div className="row">
            <code className="code kept-json">{JSON.stringify(part)}</code>
            <RemoveButton what="join" onPress={remove} />
          </div>
          <Messages messages={messagesAt(issues, 'joins', i)} />
        </div>
      )
    return (
      <JoinEditor
        key={i}
        {...{ join, own, clauses, onChange }}
        label={joinLabel(getJoinTarget(join), dataTypes)}
        joined={joined[join.alias]}
        messages={messagesAt(issues, 'joins', i)}
        onJoin={(next, tag) => onChange(withJoins(clauses, joins.with(i, next)), tag && `${tag}:${i}`)}
        onRemove={remove}
      />
    )
  })
}

interface JoinEditorProps extends Pick<JoinClauseProps, 'own' | 'clauses' | 'onChange'> {
  join: Join
  label: string
  joined: JoinedFields[string] | undefined
  messages: string[]
  onJoin(join: Join, tag?: string): void
  onRemove(): void
}

function JoinEditor({
  join,
  label,
  own,
  joined,
  messages,
  clauses,
  onChange,
  onJoin,
  onRemove,
}: JoinEditorProps) {
  const pairs = toPairs(join)
  const isUnused = !mentions(clauses, join.alias)
  return (
    <div className="column-editor" role="group" aria-label={`Joined: ${label}`}>
      <div className="column-head">
        <p className="join-name">
          {label} <span className="tag">{join.alias}</span>
        </p>
        <RemoveButton what={`the join of ${label}`} onPress={onRemove} />
      </div>
      {pairs ? (
        <PairEditor
          {...{ pairs, label, own }}
          theirs={joined?.fields ?? []}
          onChange={(next, tag) => onJoin(withPairs(join, next), tag)}
        />
      ) : (
        <code className="code kept-json">{JSON.stringify(join.filters)}</code>
      )}
      <select
        aria-label={`Which records count beside ${label}`}
        value={isRequired(join) ? 'required' : 'all'}
        onChange={(event) =>
          onJoin(
            event.target.value === 'required'
              ? { ...join, required: true }
              : (without(join, 'required') as Join),
          )
        }
      >
        <option value="all">Keep records without a match</option>
        <option value="required">Only records with a match</option>
      </select>
      {joined?.failure ? <Messages messages={[joined.failure]} /> : null}
      {isUnused ? (
        <div className="join-unused">
          <p className="muted">It changes the answer once one of its fields is used below.</p>
          <button
            type="button"
            className="button is-small"
            onClick={() => onChange(withPartner(clauses, join.alias))}
          >
            Ask only of records that have one
          </button>
        </div>
      ) : (
        <p className="muted">A record with several matches counts once for each; sums add it once.</p>
      )}
      <Messages messages={messages} />
    </div>
  )
}
