/*
 * The floor for the cost of a packet: takes UDP packets on a number of ports and sends each back to where it came from.
 * Prints the ports, one a line, and at the end of its input the processor time it has used in microseconds.
 */
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#define MAX_PORTS 400

static struct pollfd watched[MAX_PORTS + 1];

static int open_port(void) {
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int handle = socket(AF_INET, SOCK_DGRAM, 0);
  if (handle < 0 || bind(handle, (struct sockaddr *)&address, length) < 0) exit(1);
  getsockname(handle, (struct sockaddr *)&address, &length);
  printf("%d\n", ntohs(address.sin_port));
  return handle;
}

static void send_back(int handle) {
  char packet[2048];
  struct sockaddr_in from;
  socklen_t length = sizeof from;
  ssize_t size = recvfrom(handle, packet, sizeof packet, 0, (struct sockaddr *)&from, &length);
  if (size > 0) sendto(handle, packet, size, 0, (struct sockaddr *)&from, length);
}

int main(int count, char **words) {
  int ports = count > 1 ? atoi(words[1]) : 1;
  if (ports < 1 || ports > MAX_PORTS) return 1;
  watched[0] = (struct pollfd){.fd = 0, .events = POLLIN};
  for (int at = 1; at <= ports; at++) watched[at] = (struct pollfd){.fd = open_port(), .events = POLLIN};
  fflush(stdout);
  while (!watched[0].revents) {
    poll(watched, ports + 1, -1);
    for (int at = 1; at <= ports; at++)
      if (watched[at].revents & POLLIN) send_back(watched[at].fd);
  }
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  printf("%ld\n", (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000L + used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  return 0;
}
