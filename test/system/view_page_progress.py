"""Late progress where mpiwatch-view is read: a receiver that waits for the sender's MPI_Waitall
(planted.py's one_hides) is told so of the message, and leads there.
"""


def check(page, tools):
    begin = int(page.shown()["from"])
    page.click(0, begin + 200000)
    page.wait_title("MPI_Waitall of rank 0")
    told = page.told()
    tools.expect(told["wait.wait_ns"] == told["message.progress_wait_ns"] == "200000", told)
    tools.expect("message.send_wait_ns" not in told and
                 "message.send_progress_wait_ns" not in told, told)
    page.find("#detail [data-go=cause]").click()
    page.wait_title("MPI_Waitall of rank 1")
    tools.expect(page.told()["message.progress_wait_ns"] == "200000", page.told())
