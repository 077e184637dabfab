import { ShortForm } from '#app/components/form/edit-form.tsx'
import { NewPasswordField, PasswordField } from './credential-fields.tsx'
import { KeysLeft, type OwnKeyLine } from './own-keys.tsx'

/** Changes the password; requires the current one. `keys`: those that stay valid after a change. */
export function Password({ keys }: { keys: OwnKeyLine[] | null }) {
  return (
    <section className="stack" aria-labelledby="password">
      <h2 id="password">Password</h2>
      {keys ? <KeysLeft keys={keys} /> : null}
      <ShortForm
        preventScrollReset
        names={['current', 'password']}
        save={{
          intent: 'changePassword',
          label: 'Change the password',
          doing: 'Changing…',
          className: 'button',
        }}
      >
        <PasswordField label="Present password" name="current" />
        <NewPasswordField label="New password" hint=" Every other device is signed out." />
      </ShortForm>
    </section>
  )
}
