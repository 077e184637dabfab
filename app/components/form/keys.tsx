import { Form } from '@remix-run/react'
import { useRef, useState, type ReactNode } from 'react'
import { SelectField, TextField } from './field.tsx'
import { ShortForm } from './edit-form.tsx'
import { Day } from '../list/time.tsx'
import { keyDays, keyScopes, type AccountScope, type KeyScope } from '#functions/shapes/key-scope.ts'

interface KeyLine {
  id: string
  name: string
  prefix: string
  scope: KeyScope
  lastUsedAt: Date | string | null
  expiresAt: Date | string
  createdAt: Date | string
}

interface KeysProps {
  title: string
  /** What a program may do with a key. */
  text: ReactNode
  keys: KeyLine[]
  /** The scopes for a new key; absent: no choice. */
  scopes?: readonly AccountScope[]
  /** The new key, which is shown once. */
  newKey: { name: string; key: string } | null | undefined
}

/** The list of API keys, and the form that creates one. Its intents are `makeKey` and `revokeKey`. */
export function Keys({ title, text, keys, scopes = [], newKey }: KeysProps) {
  return (
    <section className="stack" aria-labelledby="keys">
      <h2 id="keys">{title}</h2>
      <p className="muted">{text}</p>
      {newKey ? <MadeKey key={newKey.key} name={newKey.name} text={newKey.key} /> : null}
      {keys.length ? (
        <ul className="list">
          {keys.map((key) => (
            <li key={key.id} className="list-item">
              <div className="list-main">
                <div className="list-title">{key.name}</div>
                <div className="list-note">
                  {keyScopes[key.scope]}. Begins with <code>{key.prefix}</code>, made{' '}
                  <Day date={key.createdAt} />, last used <Day date={key.lastUsedAt} />,{' '}
                  {hasExpired(key) ? <strong>expired</strong> : 'expires'} <Day date={key.expiresAt} />
                </div>
              </div>
              <Form method="post" className="list-actions">
                <input type="hidden" name="id" value={key.id} />
                <button className="button is-small is-danger" name="intent" value="revokeKey">
                  Revoke<span className="sr-only"> {key.name}</span>
                </button>
              </Form>
            </li>
          ))}
        </ul>
      ) : null}
      <ShortForm
        names={['name', 'scope', 'expiresInDays']}
        saved={{ scope: 'account', expiresInDays: keyDays.usual }}
        save={{ intent: 'makeKey', label: 'Make a key', doing: 'Making…', className: 'button' }}
        intents={['revokeKey']}
      >
        <TextField
          label="Name of the new key"
          name="name"
          hint="What it is for, such as the name of the program."
          required
          maxLength={200}
        />
        {scopes.length > 0 ? (
          <SelectField
            label="What it opens"
            name="scope"
            options={scopes.map((scope) => ({ value: scope, label: keyScopes[scope] }))}
          />
        ) : null}
        <SelectField
          label="Expires"
          name="expiresInDays"
          hint="You get an email 30 and 7 days before."
          options={lifetimes}
        />
      </ShortForm>
    </section>
  )
}

const lifetimes = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: String(keyDays.usual), label: 'In a year' },
  { value: String(keyDays.most), label: 'In two years' },
]

const hasExpired = ({ expiresAt }: KeyLine) => new Date(expiresAt) <= new Date()

/** The field shows the key without scripts too; the button is a convenience. */
function MadeKey({ name, text }: { name: string; text: string }) {
  const field = useRef<HTMLDivElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    field.current?.querySelector('input')?.select()
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <div className="notice is-success stack" ref={field}>
      <TextField
        label={`The key “${name}”`}
        name="madeKey"
        hint="Copy it now: it is shown this once and kept nowhere."
        value={text}
        readOnly
        spellCheck={false}
        autoComplete="off"
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className="button-group needs-scripts">
        <button type="button" className="button is-small" onClick={() => void copy()}>
          Copy
        </button>
        <span role="status">{isCopied ? 'Copied.' : ''}</span>
      </div>
    </div>
  )
}
