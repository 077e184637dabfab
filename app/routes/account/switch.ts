import { redirect } from '@remix-run/cloudflare'
import { switchPlace } from './switch-place.server.ts'

/** A GET switches nothing. */
export function loader() {
  return redirect('/')
}

export const action = switchPlace
