import { ShortForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'

/** The form that requests to join an organization. Reveals nothing about its members. */
export function JoinForm({ publicHost }: { publicHost: string }) {
  return (
    <section className="stack" aria-labelledby="join">
      <h2 id="join">Join one that exists</h2>
      <ShortForm
        preventScrollReset
        names={['placeId', 'joinNote']}
        place={toJoinNoteErrors}
        save={{ intent: 'join', label: 'Ask to join', doing: 'Sending…', className: 'button' }}
      >
        <p className="muted">
          Its administrators see your name, your address and what you write, and answer.
        </p>
        <TextField
          label="Which organization"
          name="placeId"
          hint={`Its id, or the address of its public hub: oakton, oakton.${publicHost}, or a host of its own.`}
          required
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField label="Who you are" name="joinNote" hint="So that they know you." maxLength={300} />
      </ShortForm>
    </section>
  )
}

/** Two forms of the screen have a note, so their ids must differ. */
const toJoinNoteErrors = (errors: FormErrors): FormErrors => ({
  ...errors,
  issues: errors.issues.map((issue) => (issue.path[0] === 'note' ? { ...issue, path: ['joinNote'] } : issue)),
})
