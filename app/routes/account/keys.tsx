import { Form } from '@remix-run/react'
import { useRef, useState } from 'react'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { Refused } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { Day } from '#app/components/list/time.tsx'

export interface KeyLine {
  id: string
  name: string
  prefix: string
  lastUsedAt: Date | string | null
  createdAt: Date | string
}

/** The person's account keys. `made`: the key that was made just now, shown this once. */
export function Keys({
  keys,
  made,
  refused,
}: {
  keys: KeyLine[]
  made: { name: string; key: string } | null | undefined
  refused: Refused | undefined
}) {
  return (
    <section className="stack" aria-labelledby="keys">
      <h2 id="keys">Account keys</h2>
      <p className="muted">A program that sends a key acts as you. Give each program a key of its own.</p>
      {made ? <MadeKey key={made.key} name={made.name} text={made.key} /> : null}
      {keys.length ? (
        <ul className="list">
          {keys.map((key) => (
            <li key={key.id} className="list-item">
              <div className="list-main">
                <div className="list-title">{key.name}</div>
                <div className="list-note">
                  Begins with <code>{key.prefix}</code>, made <Day date={key.createdAt} />, last used{' '}
                  <Day date={key.lastUsedAt} />
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
      <Form method="post" className="form">
        <FormError refused={refused} names={['name']} />
        <TextField
          label="Name of the new key"
          name="name"
          hint="What it is for, such as the name of the program."
          required
          maxLength={200}
          refused={refused}
        />
        <div className="form-actions">
          <SubmitButton intent="makeKey" doing="Making…" className="button">
            Make a key
          </SubmitButton>
        </div>
      </Form>
    </section>
  )
}

/** The field holds the key without scripts as well; the button only saves a gesture. */
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
