"""Watches, reads and sends with web3 for Python, as its users do."""
import json
import os

from web3 import Web3

w3 = Web3(Web3.HTTPProvider(os.environ["RPC_URL"]))
emitter = Web3.to_checksum_address(os.environ["EMITTER"])
contract = w3.eth.contract(address=emitter, abi=[json.loads(os.environ["EVENT_ABI"])])
events = contract.events.RecordAppended.create_filter(from_block="latest")
every = contract.events.RecordAppended.create_filter(from_block=0)
blocks = w3.eth.filter("latest")

account = w3.eth.account.create()
transaction = {
    "from": account.address,
    "to": emitter,
    "data": os.environ["CALL"],
    "nonce": w3.eth.get_transaction_count(account.address),
    "chainId": w3.eth.chain_id,
    "maxFeePerGas": 0,
    "maxPriorityFeePerGas": w3.eth.max_priority_fee,
    "value": 0,
}
transaction["gas"] = w3.eth.estimate_gas(transaction)
signed = account.sign_transaction(transaction)
sent = w3.eth.send_raw_transaction(signed.raw_transaction)
receipt = w3.eth.wait_for_transaction_receipt(sent, poll_latency=0.05)
new = events.get_new_entries()
history = w3.eth.fee_history(2, "latest", [25, 75])
proof = w3.eth.get_proof(emitter, [0], "latest")
print(json.dumps({
    "status": receipt.status,
    "new": [entry.args.sequence for entry in new],
    "again": len(events.get_new_entries()),
    "all": len(every.get_all_entries()) >= 1,
    "blocks": receipt.blockHash in blocks.get_new_entries(),
    "uninstalled": w3.eth.uninstall_filter(events.filter_id),
    "raw": w3.eth.get_raw_transaction(sent) == signed.raw_transaction,
    "receipts": [each.transactionHash == sent for each in w3.eth.get_block_receipts(receipt.blockNumber)],
    "baseFees": history.baseFeePerGas,
    "slots": [Web3.to_int(hexstr="0x" + entry.key.hex()) for entry in proof.storageProof],
}))
