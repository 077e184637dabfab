import * as v from 'valibot'
import { endpoint } from '#functions/api/endpoint.ts'
import * as accounts from '#functions/domain/identity/accounts.ts'
import * as confirmations from '#functions/domain/identity/confirmations.ts'
import * as emailChange from '#functions/domain/identity/email-change.ts'
import { changePassword } from '#functions/domain/identity/password.ts'
import { challengeBetweenSteps, secondStep, stepKinds } from '#functions/domain/identity/second-step.ts'
import { allowDevice } from '#functions/domain/identity/sign-in-limits.ts'
import { state } from '#functions/domain/identity/state.ts'
import {
  Address,
  AskState,
  ChangedPassword,
  Confirm,
  Done,
  LinkToken,
  Login,
  OwnKeys,
  PasswordChanged,
  Reset,
  ResetToken,
  SignUp,
  SignedIn,
  State,
  UndoneEmail,
} from '#functions/shapes/auth.ts'
import { SecondStep, StepKinds } from '#functions/shapes/factor.ts'
import { PasskeyRequest } from '#functions/shapes/passkey.ts'

/** Session state, sign-in, sign-up and sign-out. Open to everyone by design. */
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
    summary: 'Sign in; 401 with the reason `secondFactor` where a second step follows',
  }),
  secondStep: endpoint({
    allow: 'auth.use',
    data: SecondStep,
    returns: SignedIn,
    run: secondStep,
    summary: 'End a sign-in with the second factor: a code, or the answer of a passkey',
  }),
  stepKinds: endpoint({
    allow: 'auth.use',
    http: { method: 'get' },
    returns: StepKinds,
    run: stepKinds,
    summary: 'With what the second step can be done that waits in this browser',
  }),
  askPasskey: endpoint({
    allow: 'auth.use',
    returns: PasskeyRequest,
    run: challengeBetweenSteps,
    summary: 'Ask for a passkey as the second step; the answer goes to `secondStep`, within five minutes',
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
    summary: 'Choose a new password with the token of an email; sessions and keys end',
  }),
  resetKeys: endpoint({
    allow: 'auth.use',
    data: ResetToken,
    returns: OwnKeys,
    run: accounts.resetKeys,
    summary: 'The keys that choosing a new password ends, by the token of its email',
  }),
  allowDevice: endpoint({
    allow: 'auth.use',
    data: LinkToken,
    returns: Done,
    run: allowDevice,
    summary: 'Let this browser try to sign in, with the token of an email, while many others fail',
  }),
  password: endpoint({
    allow: 'auth.manage',
    data: ChangedPassword,
    returns: PasswordChanged,
    run: changePassword,
    summary: 'Choose a new password with the present one',
  }),
  changeEmail: endpoint({
    allow: 'auth.manage',
    stepUp: true,
    data: Address,
    returns: Done,
    run: emailChange.change,
    summary: 'Ask for the email that confirms a new address; the same answer for every address',
  }),
  confirmEmail: endpoint({
    allow: 'auth.manage',
    data: LinkToken,
    returns: Done,
    run: emailChange.confirm,
    summary: 'Change the own address with the token of the email sent to the new one; other sessions end',
  }),
  undoEmail: endpoint({
    allow: 'auth.use',
    data: LinkToken,
    returns: UndoneEmail,
    run: emailChange.undo,
    summary: 'Give an account its old address back, by the email sent there; its sessions and password end',
  }),
  confirm: endpoint({
    allow: 'auth.use',
    data: Confirm,
    returns: v.strictObject({ session: v.nullable(SignedIn) }),
    run: confirmations.confirm,
    summary:
      'Confirm an address with the token of an email, in the browser that signed up or with its password',
  }),
  resend: endpoint({
    allow: 'auth.use',
    data: Address,
    returns: Done,
    run: confirmations.resend,
    summary: 'Ask for the letter that confirms an address again',
  }),
  logout: endpoint({ allow: 'auth.use', returns: Done, run: accounts.logout, summary: 'Sign out' }),
}
