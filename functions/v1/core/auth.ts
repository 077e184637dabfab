import * as v from 'valibot'
import { endpoint } from '#functions/api/endpoint.ts'
import * as accounts from '#functions/identity/accounts.ts'
import { changePassword } from '#functions/identity/password.ts'
import { state } from '#functions/identity/state.ts'
import {
  Address,
  AskState,
  ChangedPassword,
  Confirm,
  Done,
  Login,
  Reset,
  SignedIn,
  SignUp,
  State,
} from '#functions/shapes/auth.ts'

/** Who is signed in, and the ways in and out. All may be used by anyone: that is their purpose. */
export const auth = {
  state: endpoint({
    allow: 'auth.use',
    data: AskState,
    returns: State,
    run: state,
    summary: 'The own state',
  }),
  login: endpoint({
    allow: 'auth.use',
    data: Login,
    returns: SignedIn,
    run: accounts.login,
    summary: 'Sign in',
  }),
  signup: endpoint({
    allow: 'auth.use',
    data: SignUp,
    returns: Done,
    run: accounts.signup,
    summary: 'Sign up',
  }),
  forgot: endpoint({
    allow: 'auth.use',
    data: Address,
    returns: Done,
    run: accounts.forgot,
    summary: 'Ask for a letter to choose a new password',
  }),
  reset: endpoint({
    allow: 'auth.use',
    data: Reset,
    returns: Done,
    run: accounts.reset,
    summary: 'Choose a new password with the token of a letter',
  }),
  password: endpoint({
    allow: 'auth.manage',
    data: ChangedPassword,
    returns: Done,
    run: changePassword,
    summary: 'Choose a new password with the present one',
  }),
  confirm: endpoint({
    allow: 'auth.use',
    data: Confirm,
    returns: v.strictObject({ session: v.nullable(SignedIn) }),
    run: accounts.confirm,
    summary: 'Confirm an address with the token of a letter',
  }),
  resend: endpoint({
    allow: 'auth.use',
    data: Address,
    returns: Done,
    run: accounts.resend,
    summary: 'Ask for the letter that confirms an address again',
  }),
  logout: endpoint({ allow: 'auth.use', returns: Done, run: accounts.logout, summary: 'Sign out' }),
}
