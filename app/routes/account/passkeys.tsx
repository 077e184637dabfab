import { Form, useNavigation, useSubmit } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { Day } from '#app/components/list/time.tsx'
import type { PasskeyCreation } from '#functions/shapes/passkey.ts'
import { refusalLine } from '#app/components/form/message-words.ts'

export interface PasskeysProps {
  passkeys: {
    id: string
    name: string
    createdAt: Date | string
    lastUsedAt: Date | string | null
    isSynced: boolean
  }[]
  /** The creation options from the server, once requested. */
  creation: PasskeyCreation | null
  /** The errors of a form, by its intent and passkey. */
  findFormErrors: (of: string) => FormErrors | undefined
}

/** The passkeys of a person, and the form that adds one. */
export function Passkeys({ passkeys, creation, findFormErrors }: PasskeysProps) {
  return (
    <section className="stack" aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <p className="muted">
        A passkey is kept by a device, a security key or a password manager, and cannot be typed into a forged
        page.
      </p>
      {passkeys.length ? (
        <ul className="list">
          {passkeys.map((passkey) => (
            <Passkey key={passkey.id} {...passkey} findFormErrors={findFormErrors} />
          ))}
        </ul>
      ) : null}
      <AddPasskey key={passkeys.length} creation={creation} findFormErrors={findFormErrors} />
    </section>
  )
}

function Passkey({
  id,
  name,
  createdAt,
  lastUsedAt,
  isSynced,
  findFormErrors,
}: PasskeysProps['passkeys'][number] & Pick<PasskeysProps, 'findFormErrors'>) {
  const renaming = findFormErrors(`renamePasskey ${id}`)
  return (
    <li className="list-item">
      <div className="list-main stack">
        <div>
          <div className="list-title">{name}</div>
          <div className="list-note">
            Added <Day date={createdAt} />,{' '}
            {lastUsedAt ? (
              <>
                last used <Day date={lastUsedAt} />
              </>
            ) : (
              'not used yet'
            )}
            {isSynced ? ', kept in sync between devices' : null}
          </div>
        </div>
        <FormError errors={findFormErrors(`removePasskey ${id}`)} names={[]} />
        <details open={renaming !== undefined}>
          <summary>
            Rename<span className="sr-only"> {name}</span>
          </summary>
          <Form method="post" className="form" preventScrollReset>
            <input type="hidden" name="id" value={id} />
            <FormError errors={renaming} names={['name']} />
            <TextField
              label={`New name of “${name}”`}
              name="name"
              defaultValue={name}
              maxLength={60}
              required
              errors={renaming}
            />
            <SubmitButton intent="renamePasskey" doing="Saving…" className="button is-small">
              Save the name
            </SubmitButton>
          </Form>
        </details>
      </div>
      <Form method="post" className="list-actions" preventScrollReset>
        <input type="hidden" name="id" value={id} />
        <ConfirmButton
          intent="removePasskey"
          question={`Remove the passkey “${name}”?`}
          text="It does not sign you in any more. Remove it from the device or the password manager as well."
          answer="Remove it"
        >
          Remove<span className="sr-only"> {name}</span>
        </ConfirmButton>
      </Form>
    </li>
  )
}

/** First the server is asked for options, which may require re-authentication; then the browser creates the passkey, which is submitted. */
function AddPasskey({ creation, findFormErrors }: Omit<PasskeysProps, 'passkeys'>) {
  const form = useRef<HTMLFormElement>(null)
  const answered = useRef<PasskeyCreation | null>(null)
  const submit = useSubmit()
  // After the response the page still revalidates: submitting during that would abort it with an uncatchable error.
  const isIdle = useNavigation().state === 'idle'
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    if (!creation || !isIdle || answered.current === creation) return
    answered.current = creation
    const make = async () => {
      const { makePasskey, describePasskeyError } = await import('#app/client/passkey.ts')
      try {
        const passkey = await makePasskey(creation)
        const name = String(new FormData(form.current ?? undefined).get('name') ?? '')
        submit({ intent: 'addPasskey', name, passkey }, { method: 'post', preventScrollReset: true })
      } catch (error) {
        setProblem(refusalLine(describePasskeyError(error)))
      }
    }
    void make()
  }, [creation, isIdle, submit])
  const errors = findFormErrors('addPasskey') ?? findFormErrors('beginPasskey')
  return (
    <>
      <noscript>
        <p className="notice">Passkeys take scripts, which are turned off in this browser.</p>
      </noscript>
      <Form
        ref={form}
        method="post"
        className="form needs-scripts"
        preventScrollReset
        onSubmit={() => setProblem(null)}
      >
        <FormError errors={errors} names={['name']} />
        {problem ? (
          <div className="form-error" role="alert">
            <p>{problem}</p>
          </div>
        ) : null}
        <TextField
          label="Name of the new passkey"
          name="name"
          hint="Such as the device it is on."
          maxLength={60}
          autoComplete="off"
          required
          errors={errors}
        />
        <SubmitButton intent="beginPasskey" doing="Asking your browser…" className="button">
          Add a passkey
        </SubmitButton>
      </Form>
    </>
  )
}
