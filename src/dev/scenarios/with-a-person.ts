import { days, hours } from '../../operations/time';
import { ONE_CASE } from '../shop/demo-order';
import { NO_RECORD } from './found-out-later';
import type { Scenario } from './scenario';
import { confirmed, type PromisedOperation } from './scenario-promise';
import { operationIdOf, personSays, type Stage, untilEvents, untilState } from './stage';
import { askAndAgree } from './talk';

/** An operation that a person has before them. */
function escalated(id: string, otherwise: Partial<PromisedOperation> = {}): PromisedOperation {
  return confirmed(id, { state: 'escalated', answers: ['unknown'], resolvedBy: null, ...otherwise });
}

/** Past the end of Stripe's key, and past everything automatic. */
const PAST_THE_WINDOW = hours(25);

/** Looks become rare once a person has it; the next one falls due by this. */
const PAST_A_RARE_LOOK = hours(7);

/** The refund is made, a 500 is stored with its key, and no query shows it until the lag ends. */
async function makeUnseen(stage: Stage): Promise<void> {
  stage.fake.setLag({ list: days(7), events: days(7) });
  stage.fake.arm({ route: 'create', kind: 'server-error', effect: true });
  await askAndAgree()(stage);
}

async function untilPerson(stage: Stage): Promise<void> {
  await stage.moveClock(PAST_THE_WINDOW);
  await untilState(stage, 'escalated');
}

async function show(stage: Stage): Promise<void> {
  stage.fake.setLag({});
  stage.tell('shows the refund at last', 'provider');
  await stage.moveClock(PAST_A_RARE_LOOK);
}

/** Nothing automatic settles it, or what is known cannot be: a person is called. */
export const WITH_A_PERSON: readonly Scenario[] = [
  {
    name: '500-not-made',
    title: 'A 500 is stored, nothing was made, nothing is ever found; after the key’s end a person says so.',
    missing: ONE_CASE,
    asking: 'once',
    promise: {
      effects: 0,
      sends: 1,
      operations: (orderId) => [
        confirmed(`refund-${orderId}-li_2`, { state: 'rejected', answers: ['unknown'], resolvedBy: 'person' }),
      ],
      codes: [['outcome_unknown']],
      followUps: 1,
      escalations: 1,
    },
    naive: NO_RECORD,
    talk: async (stage) => {
      stage.fake.arm({ route: 'create', kind: 'server-error', effect: false });
      await askAndAgree()(stage);
      await untilPerson(stage);
      await personSays(stage, { as: 'rejected', allowResend: false }, 'The provider’s support: it was never executed.');
    },
  },
  {
    name: 'key-expired',
    title: 'The request is lost and the provider away until its key has ended: nothing is sent, a person is called.',
    missing: ONE_CASE,
    asking: 'once',
    promise: {
      effects: 0,
      sends: 1,
      operations: (orderId) => [escalated(`refund-${orderId}-li_2`, { reason: /nothing automatic can find out/ })],
      codes: [['outcome_unknown']],
      escalations: 1,
    },
    naive: NO_RECORD,
    talk: async (stage) => {
      const { fake, tell } = stage;
      const request = fake.arm({ route: 'create', kind: 'drop-request' });
      await Promise.all([askAndAgree()(stage), request.firstHit.then(() => fake.refuseConnections())]);
      tell('The provider takes no connections.');
      await stage.moveClock(PAST_THE_WINDOW);
      await fake.acceptConnections();
      tell('The provider takes connections again.');
      await untilState(stage, 'escalated');
      // Whichever look came first, one of them is complete.
      await stage.moveClock(PAST_A_RARE_LOOK);
      await untilEvents(stage, 'evidence', 1, ({ evidence }) => evidence.kind === 'absent');
    },
  },
  {
    name: 'late-after-escalation',
    title: 'A refund is seen only after its key has ended and a person was called: that settles it.',
    missing: ONE_CASE,
    asking: 'once',
    promise: {
      effects: 1,
      sends: 1,
      operations: (orderId) => [confirmed(`refund-${orderId}-li_2`, { answers: ['unknown'], resolvedBy: 'query' })],
      codes: [['outcome_unknown']],
      followUps: 1,
      escalations: 1,
    },
    naive: NO_RECORD,
    talk: async (stage) => {
      await makeUnseen(stage);
      await untilPerson(stage);
      await show(stage);
      await untilState(stage, 'confirmed');
    },
  },
  {
    name: 'failed-later',
    title: 'The refund is confirmed and told; days later the bank returns the money: an alarm, told by a webhook.',
    missing: ONE_CASE,
    asking: 'one-line',
    promise: {
      effects: 1,
      sends: 1,
      operations: (orderId) => [
        escalated(`refund-${orderId}-li_2`, { answers: ['confirmed'], reason: /^re_\w+ succeeded and failed\.$/ }),
      ],
      codes: [['done']],
      escalations: 1,
    },
    naive: NO_RECORD,
    talk: async (stage) => {
      const { fake } = stage;
      await askAndAgree()(stage);
      const { externalId } = await untilState(stage, 'confirmed');
      await stage.moveClock(days(3));
      fake.settle(externalId ?? '', 'failed', 'lost_or_stolen_card');
      await fake.webhooks.sendHeld();
      await untilState(stage, 'escalated');
    },
  },
  {
    name: 'two-found',
    title: 'The answer is lost and somebody refunds by hand under our ID: two are found, and a person is called.',
    missing: ONE_CASE,
    asking: 'once',
    promise: {
      effects: 2,
      sends: 1,
      operations: (orderId) => [
        escalated(`refund-${orderId}-li_2`, { reason: /^There are 2 effects: re_\w+, re_\w+\.$/ }),
      ],
      codes: [['outcome_unknown']],
      escalations: 1,
      known: 1,
      told: false,
    },
    naive: NO_RECORD,
    talk: askAndAgree({
      before: ({ fake }) => void fake.arm({ route: 'create', kind: 'drop-answer' }),
      during: async (stage) => {
        const { fake, order, tell } = stage;
        // Nobody looks within the first seconds of an outcome that is not known.
        await untilEvents(stage, 'answered', 1);
        const amount = order.lines.find((line) => !line.shipped)?.amount ?? 0;
        const metadata = { op_id: operationIdOf(stage) };
        const id = fake.refundByHand({ payment: order.paymentIntent, amount, metadata });
        tell(`refunds by hand under the same ID: ${id}`, 'person');
        await untilState(stage, 'escalated');
      },
    }),
  },
  {
    name: 'person-wrong',
    title: 'A person says that nothing was made and it may be sent again; nobody asks, and the refund shows up.',
    missing: ONE_CASE,
    asking: 'once',
    promise: {
      effects: 1,
      sends: 1,
      operations: (orderId) => [
        escalated(`refund-${orderId}-li_2`, {
          reason: /^re_\w+ exists, but a person said that generation 1 had no effect\.$/,
        }),
      ],
      codes: [['outcome_unknown']],
      followUps: 1,
      escalations: 1,
      told: false,
    },
    naive: NO_RECORD,
    talk: async (stage) => {
      await makeUnseen(stage);
      await untilPerson(stage);
      await personSays(stage, { as: 'rejected', allowResend: true }, 'Nothing in the dashboard.');
      await stage.untilQuiet();
      await show(stage);
      await untilState(stage, 'escalated');
    },
  },
  {
    name: 'paused',
    title: 'The provider is paused and a call comes; after the resume reconciliation sends it, and it is told.',
    missing: ONE_CASE,
    asking: 'once',
    promise: {
      effects: 1,
      sends: 1,
      operations: (orderId) => [confirmed(`refund-${orderId}-li_2`)],
      codes: [['waiting']],
      followUps: 1,
    },
    naive: NO_RECORD,
    talk: async (stage) => {
      await stage.pauseProvider();
      await askAndAgree()(stage);
      await stage.resumeProvider();
      await untilState(stage, 'confirmed');
    },
  },
];
