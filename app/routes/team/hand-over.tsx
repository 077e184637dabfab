import { formatNumber } from '#app/components/list/number-format.ts'
import { Form } from '@remix-run/react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { SelectField, type Option } from '#app/components/form/field.tsx'

export interface HandOverProps {
  heirs: {
    /** The people who can become the admin, or those of them who were found. */
    people: { id: string; name: string }[]
    total: number
    /** The name that was searched; '' for everyone. */
    search: string
  }
  roles: readonly Option[]
}

/**
 * The form by which an administrator makes someone else an administrator and changes their own role or
 * leaves, after re-authentication. Empty without other people.
 */
export function HandOver({ heirs, roles }: HandOverProps) {
  const { people, total, search } = heirs
  const isFew = total <= people.length && search === ''
  if (isFew && !people.length) return null
  return (
    <section className="stack" aria-labelledby="hand-over">
      <h2 id="hand-over">Hand the organization over</h2>
      <p className="muted">
        Someone else of the team becomes its organization admin, and you what you choose. An organization
        always has one. You are asked to confirm that it is you.
      </p>
      {isFew ? null : <HeirSearch {...heirs} />}
      {people.length ? <HandOverForm people={people} roles={roles} /> : null}
    </section>
  )
}

/** Finds one of many people by name. */
function HeirSearch({ people, total, search }: HandOverProps['heirs']) {
  return (
    <Form className="form" action="#hand-over" preventScrollReset role="search" aria-label="To whom">
      <div className="field-row">
        <div className="field">
          <label className="field-label" htmlFor="heir">
            Find someone of the team
          </label>
          <input
            id="heir"
            className="input"
            type="search"
            name="heir"
            defaultValue={search}
            maxLength={100}
          />
        </div>
      </div>
      <div className="button-group">
        <button className="button is-small">Find</button>
      </div>
      <p className="muted" role="status">
        {people.length === 0
          ? `No one is called “${search}”.`
          : total > people.length
            ? `The first ${people.length} of ${formatNumber(total)} people can be chosen. Find others by name.`
            : `${formatNumber(total)} found by “${search}”.`}
      </p>
    </Form>
  )
}

function HandOverForm({
  people,
  roles,
}: Pick<HandOverProps, 'roles'> & Pick<HandOverProps['heirs'], 'people'>) {
  return (
    <ShortForm
      preventScrollReset
      names={['id', 'role']}
      save={null}
      intents={['handOver']}
      more={
        <ConfirmButton
          intent="handOver"
          question="Hand the organization over?"
          text="Only they, or another organization admin, can give it back to you."
          answer="Hand over"
          className="button"
        >
          Hand over
        </ConfirmButton>
      }
    >
      <div className="field-row">
        <SelectField
          label="To whom"
          name="id"
          options={people.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <SelectField
          label="What you are then"
          name="role"
          options={[{ value: '', label: 'I leave' }, ...roles]}
        />
      </div>
    </ShortForm>
  )
}
