import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from './account-card.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { readFormErrors } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { accessScreen, changeAccess } from './access.server.ts'

export const loader = accessScreen

export const action = changeAccess

export const meta = placeTitle('Open an organization')

export default function Access() {
  const { name, mayChange } = useLoaderData<typeof loader>()
  const errors = readFormErrors(useActionData<typeof action>())
  return (
    <AccountCard
      title={`Say why you open ${name}`}
      intro={
        <p>
          You are not a member of {name}. With a reason it is open to you for an hour, in this session, to be{' '}
          {mayChange ? 'read and changed' : 'read'}. The reason and your name stand in the audit log that its
          people see, and in your own.
        </p>
      }
      foot={<Link to="/explore">Do not open it</Link>}
    >
      <Form method="post" className="form">
        <FormError errors={errors} names={['reason']} />
        <TextField
          label="Reason"
          name="reason"
          hint="Such as the number of a request, and what you look for. One line, at most 500 characters."
          maxLength={500}
          required
          autoComplete="off"
          errors={errors}
        />
        <SubmitButton intent="open" doing="Opening…">
          Open {name}
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}
