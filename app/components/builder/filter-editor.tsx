import { Messages, RemoveButton } from './clause.tsx'
import { asGroup, withConjunction, type FilterGroup, type FilterNode } from './filter-model.ts'
import { FilterRuleEditor } from './filter-rule.tsx'
import { useLanguage } from './language.ts'
import { ValueEditor } from './value-editor.tsx'

interface FilterEditorProps {
  /** Null: no conditions. */
  filters: FilterNode | null
  onChange(filters: FilterNode | null): void
  messages?: string[]
}

/** The editor of conditions, of a query or of one column. */
export function FilterEditor({ filters, onChange, messages = [] }: FilterEditorProps) {
  const group = asGroup(filters)
  return (
    <>
      <GroupEditor
        group={group}
        onChange={(next) => onChange(next.of.length ? next : null)}
        isInner={false}
      />
      <Messages messages={messages} />
    </>
  )
}

interface GroupProps {
  group: FilterGroup
  isInner: boolean
  onChange(group: FilterGroup): void
}

function GroupEditor({ group, isInner, onChange }: GroupProps) {
  const { fields, operators } = useLanguage()
  const replaceNode = (i: number, node: FilterNode) => onChange({ ...group, of: group.of.with(i, node) })
  const add = (node: FilterNode) => onChange({ ...group, of: [...group.of, node] })
  const rule = (): FilterNode => {
    const own = fields.filter(({ field }) => field.startsWith('data.') && field !== 'data.id')
    const first = own.find(({ type }) => type === 'text') ?? own[0] ?? fields[0]
    const operator = operators.find(({ types }) => first && types.includes(first.type))
    const isNew = operator && operator.takes === 'value'
    return {
      kind: 'rule',
      field: first?.field ?? 'id',
      operator: isNew ? operator.key : '$ne',
      value: isNew ? '' : null,
      isPlain: false,
    }
  }
  return (
    <div className={isInner ? 'filter-group is-inner' : 'filter-group'} role="group" aria-label="Conditions">
      {group.of.length > 1 || isInner ? (
        <select
          aria-label="How conditions are joined"
          value={group.join}
          onChange={(event) => onChange(withConjunction(group, event.target.value as 'all' | 'any', isInner))}
        >
          <option value="all">All of these hold</option>
          <option value="any">Any of these holds</option>
        </select>
      ) : null}
      {group.of.map((node, i) => (
        <div key={i} className="filter-node">
          <NodeEditor node={node} onChange={(next) => replaceNode(i, next)} />
          <div className="filter-tools">
            <button
              type="button"
              className="button is-quiet is-small"
              aria-pressed={node.kind === 'not'}
              onClick={() => replaceNode(i, node.kind === 'not' ? node.of : { kind: 'not', of: node })}
            >
              Not
            </button>
            <RemoveButton
              what="condition"
              onPress={() => onChange({ ...group, of: group.of.toSpliced(i, 1) })}
            />
          </div>
        </div>
      ))}
      <div className="button-group">
        <button type="button" className="button is-small" onClick={() => add(rule())}>
          Add a condition
        </button>
        <button
          type="button"
          className="button is-small is-quiet"
          onClick={() => add({ kind: 'group', join: 'any', of: [rule()] })}
        >
          Add a group
        </button>
      </div>
    </div>
  )
}

function NodeEditor({ node, onChange }: { node: FilterNode; onChange(node: FilterNode): void }) {
  switch (node.kind) {
    case 'rule':
      return <FilterRuleEditor rule={node} onChange={onChange} />
    case 'group':
      return <GroupEditor group={node} isInner onChange={onChange} />
    case 'not':
      return (
        <div className="filter-not">
          <span className="badge is-warning">Not</span>
          <NodeEditor node={node.of} onChange={(of) => onChange({ kind: 'not', of })} />
        </div>
      )
    case 'condition':
      return (
        <ValueEditor
          value={node.value}
          types={['boolean']}
          label="Condition"
          mayBeConstant={false}
          onChange={(value) => onChange({ kind: 'condition', value: value as Record<string, unknown> })}
        />
      )
    case 'raw':
      return (
        <code className="code kept-json" title="Kept as it is; change it in the JSON below.">
          {JSON.stringify(node.json)}
        </code>
      )
  }
}
