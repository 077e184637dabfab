import { Form } from '@remix-run/react'
import { Clock } from '#app/components/list/time.tsx'

/** The bar for support staff or a super admin in a place of others: until when it is open, and a button to leave. */
export function SupportBar({ name, until, isSupport }: { name: string; until: string; isSupport: boolean }) {
  return (
    <div className="shell-banner" role="note">
      <p>
        {isSupport ? `You read ${name} as support` : `You are in ${name} as a super admin`} until{' '}
        <Clock date={until} />
      </p>
      <Form method="post" action="/access">
        <button className="button is-small" name="intent" value="leave">
          Leave
        </button>
      </Form>
    </div>
  )
}
