import { redirect } from '@remix-run/cloudflare'
import { switchPlace } from './switch-place.server.ts'

/** Looking switches nothing: only a form does. */
export function loader() {
  return redirect('/')
}

export const action = switchPlace
