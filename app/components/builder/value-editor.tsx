import { ConstantInput } from './constant-input.tsx'
import { useLanguage, type Language } from './language.ts'
import { call, callIn, fieldIn, isConstant, suits, type BuilderFunction } from './values.ts'

interface ValueEditorProps {
  value: unknown
  /** The allowed types; empty: any. */
  types: readonly string[]
  label: string
  onChange(value: unknown): void
  /** Whether aggregate functions are allowed. */
  mayAggregate?: boolean
  /** Whether a plain constant is allowed. */
  mayBeConstant?: boolean
}

/** The editor of a value: a field, a function call, or a constant. Unsupported values are shown as JSON. */
export function ValueEditor(props: ValueEditorProps) {
  const { value, types, label, onChange, mayAggregate = false, mayBeConstant = true } = props
  const language = useLanguage()
  const { fields, functions } = language
  const path = fieldIn(value)
  const call = callIn(value)
  const isPlain = isConstant(value)
  const choice =
    path !== null ? `field:${path}` : call ? `function:${call.name}` : isPlain ? 'constant' : 'json'
  const suitableFields = fields.filter(({ type }) => suits(type, types))
  const calls = Object.entries(functions).filter(
    ([, each]) => (mayAggregate || !each.aggregate) && givesAny(each, types),
  )
  const choose = (choice: string) => {
    const [kind, ...name] = choice.split(':')
    if (kind === 'field') onChange({ field: name.join(':') })
    else if (kind === 'function') onChange(buildInitialCall(name.join(':'), language, call?.args ?? [value]))
    else if (kind === 'constant') onChange(isPlain ? value : '')
  }
  return (
    <div className="value-editor">
      <select aria-label={label} value={choice} onChange={(event) => choose(event.target.value)}>
        {mayBeConstant || choice === 'constant' ? <option value="constant">A value</option> : null}
        {choice === 'json' ? <option value="json">As JSON</option> : null}
        <Group label="Fields" options={suitableFields.map(({ field, name }) => [`field:${field}`, name])} />
        {categories(calls).map(([category, options]) => (
          <Group key={category} label={category} options={options} />
        ))}
        {isListed(choice, suitableFields, calls) ? null : (
          <option value={choice}>{path ?? call?.name ?? 'As JSON'}</option>
        )}
      </select>
      {choice === 'constant' ? (
        <ConstantInput
          value={value}
          type={types.find((type) => type !== 'text' || types.length === 1)}
          label={`${label}: value`}
          onChange={onChange}
        />
      ) : null}
      {choice === 'json' ? <code className="code">{JSON.stringify(value)}</code> : null}
      {call ? <Arguments call={call} onChange={onChange} mayAggregate={mayAggregate} label={label} /> : null}
    </div>
  )
}

function Group({ label, options }: { label: string; options: [string, string][] }) {
  if (!options.length) return null
  return (
    <optgroup label={label}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </optgroup>
  )
}

interface ArgumentsProps {
  call: { name: string; args: unknown[] }
  label: string
  mayAggregate: boolean
  onChange(value: unknown): void
}

/** The arguments of a call, labelled with their names. */
export function Arguments({ call: callValue, label, mayAggregate, onChange }: ArgumentsProps) {
  const { functions } = useLanguage()
  const definition = functions[callValue.name]
  if (!definition?.signature.length) return null
  const isAggregate = definition.aggregate
  const replaceArgument = (i: number, arg: unknown) =>
    onChange(
      call(
        callValue.name,
        definition.signature.map((_, j) => (j === i ? arg : (callValue.args[j] ?? ''))),
      ),
    )
  return (
    <div className="value-arguments" role="group" aria-label={`Of ${definition.name}`}>
      {definition.signature.map((part, i) => (
        <div key={part.name} className="value-argument">
          <span className="tag">{part.name}</span>
          {part.options ? (
            <select
              aria-label={`${label}: ${part.name}`}
              value={String(callValue.args[i] ?? '')}
              onChange={(event) => replaceArgument(i, event.target.value)}
            >
              {part.options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          ) : (
            <ValueEditor
              value={callValue.args[i] ?? ''}
              types={part.types}
              label={`${label}: ${part.name}`}
              onChange={(arg) => replaceArgument(i, arg)}
              mayAggregate={mayAggregate && !isAggregate}
            />
          )}
        </div>
      ))}
    </div>
  )
}

/** The initial call of a function: with the previous arguments if they suit, else the first suitable field, measures before identifiers. */
export function buildInitialCall(name: string, { fields, functions }: Language, before: unknown[]): unknown {
  const fieldArguments = before.filter((arg) => fieldIn(arg) !== null)
  const args = (functions[name]?.signature ?? []).map(({ types, options }) => {
    if (options) return options.find(({ value }) => value === 'month')?.value ?? options[0]?.value ?? ''
    const i = fieldArguments.findIndex((arg) =>
      suits(fields.find(({ field }) => field === fieldIn(arg))?.type, types),
    )
    if (i !== -1) return fieldArguments.splice(i, 1)[0]
    const fitting = fields.filter((each) => suits(each.type, types) && each.field.startsWith('data.'))
    const fit = fitting.find((each) => each.isAmount !== false) ?? fitting[0]
    return fit ? { field: fit.field } : ''
  })
  return call(name, args)
}

const givesAny = ({ returns }: BuilderFunction, types: readonly string[]) =>
  suits(returns.static?.type, types)

function categories(calls: [string, BuilderFunction][]): [string, [string, string][]][] {
  const byCategory = new Map<string, [string, string][]>()
  for (const [key, { category, name }] of calls)
    byCategory.set(category, [...(byCategory.get(category) ?? []), [`function:${key}`, name]])
  return [...byCategory]
}

function isListed(choice: string, fields: { field: string }[], calls: [string, BuilderFunction][]): boolean {
  if (choice === 'constant' || choice === 'json') return true
  return (
    fields.some(({ field }) => choice === `field:${field}`) ||
    calls.some(([key]) => choice === `function:${key}`)
  )
}
