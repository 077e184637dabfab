import { Form } from '@remix-run/react'
import { Clock } from '#app/components/list/time.tsx'

/** Says that support staff read a place of others, and until when; one leaves it here. */
export function OpenedBar({ name, until }: { name: string; until: string }) {
  return (
    <div className="shell-banner" role="note">
      <p>
        You read {name} as support until <Clock date={until} />
      </p>
      <Form method="post" action="/access">
        <button className="button is-small" name="intent" value="leave">
          Leave
        </button>
      </Form>
    </div>
  )
}
