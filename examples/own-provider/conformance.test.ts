// Runs provider and tool through the fault matrix: `npx jest -c examples/own-provider/jest.config.cjs`.
import { describeOperation, describeProvider, httpDownstream } from 'sendonce/testing';
import { issueVoucher } from './issue-voucher';
import { PAGE_SIZE, startVoucherService } from './voucher-service';
import { vouchers } from './vouchers';

const downstream = () =>
  httpDownstream({
    start: async () => {
      const service = await startVoucherService();
      return {
        url: service.url,
        effects: () => service.vouchers.map(({ id }) => ({ externalId: id })),
        stop: () => service.close(),
      };
    },
  });

describeProvider({
  downstream: downstream(),
  provider: ({ url }) => vouchers(url),
  request: () => ({ email: 'ada@example.com', amount: 1_500, currency: 'eur' }),
  alter: (request) => ({ ...request, amount: 9_900 }),
  pageSize: PAGE_SIZE,
});

describeOperation({
  name: 'the tool issue_voucher',
  downstream: downstream(),
  tool: ({ url }) =>
    issueVoucher(
      (number, customer) =>
        customer === 'customer-77' && number !== '' ? { number, email: 'ada@example.com', granted: 1_500 } : undefined,
      url,
    ),
  input: (nth) => ({ complaint: String(nth) }),
  reworded: (input) => ({ complaint: `No. ${(input as { complaint: string }).complaint}`, note: 'Sorry again.' }),
  refused: { complaint: 'none' },
  patienceMs: 300,
});
