import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { AccountCard } from '#app/components/form/account-card.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { refusalIn } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { act, load } from '#app/server/load.server.ts'
import { goOnTo, guard } from '#app/server/session.server.ts'
import { needsReason } from '#functions/access/opened.ts'
import { v1 } from '#functions/v1/index.ts'

/** Asks someone of support staff why they open the place they chose to work in. Whoever needs no reason goes on. */
export async function loader(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'signedIn')
  const { actor } = args.context.ctx
  const to = goOnTo(args)
  if (!placeId || !needsReason(actor, placeId)) throw redirect(to)
  const { place } = await load(args, { place: { endpoint: v1.place.findById, params: { placeId } } })
  return { placeId, name: place.displayName }
}

/** Opens the place, or leaves it: the bar of the workspace sends here as well. */
export async function action(args: ActionFunctionArgs) {
  const { placeId } = guard(args, 'signedIn')
  if (!placeId) throw redirect('/explore')
  const params = { placeId }
  const data = (form: FormData) => ({ reason: form.get('reason') })
  return act(args, {
    open: { endpoint: v1.place.access.create, params, data, then: () => goOnTo(args) },
    leave: { endpoint: v1.place.access.leave, params, then: () => '/explore' },
  })
}

export const meta = placeTitle('Open an organization')

export default function Access() {
  const { name } = useLoaderData<typeof loader>()
  const refused = refusalIn(useActionData<typeof action>())
  return (
    <AccountCard
      title={`Say why you open ${name}`}
      intro={
        <p>
          You are not a member of {name}. With a reason it is open to you for an hour, in this session, to be
          read. The reason and your name stand in the audit log that its people see, and in your own.
        </p>
      }
      foot={<Link to="/explore">Do not open it</Link>}
    >
      <Form method="post" className="form">
        <FormError refused={refused} names={['reason']} />
        <TextField
          label="Reason"
          name="reason"
          hint="Such as the number of a request, and what you look for. One line, at most 500 characters."
          maxLength={500}
          required
          autoComplete="off"
          refused={refused}
        />
        <SubmitButton intent="open" doing="Opening…">
          Open {name}
        </SubmitButton>
      </Form>
    </AccountCard>
  )
}
