import { ShortForm } from '#app/components/form/edit-form.tsx'
import { NewPasswordField, PasswordField } from './credential-fields.tsx'
import { KeysLeft, type OwnKeyLine } from './own-keys.tsx'

/** Chooses another password; the present one is asked for once more. `keys`: those that work on after it was just changed. */
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
